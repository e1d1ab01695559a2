/** Sites whose visitors sign in with Beak, and who registered them. */
import type { z } from 'zod'
import { db } from '@/lib/db/client'
import type { Site as SiteRow } from '@/lib/db/generated/client'
import { sql } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { type ProofFailure, requireOwnProof } from '@/lib/domain/sessions/proof'
import { checkUrl } from '@/lib/domain/webhooks/guard'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'
import type { IdTokenAlg, NewSite, Site, SiteChange } from './site-schema'

/** Sites of one account. */
const sitesMax = 20

type SiteInput = z.input<typeof Site>
type WithSecret = SiteInput & { client_secret: string }

function present({
  id,
  name,
  host,
  redirectUris,
  logoutUris,
  logoutNoticeUri,
  idTokenAlg,
  secretHash,
  createdAt,
}: SiteRow): SiteInput {
  return {
    client_id: id,
    name,
    host,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: logoutUris,
    backchannel_logout_uri: logoutNoticeUri,
    id_token_signed_response_alg: idTokenAlg as IdTokenAlg,
    secret_ended: secretHash.length === 0,
    created_at: createdAt,
  }
}

/** Returns the columns of what a site says about itself. */
export function columnsOf(site: z.output<typeof NewSite>) {
  return {
    name: site.name,
    host: new URL(site.redirect_uris[0] ?? '').host,
    redirectUris: site.redirect_uris,
    logoutUris: site.post_logout_redirect_uris,
    logoutNoticeUri: site.backchannel_logout_uri,
    idTokenAlg: site.id_token_signed_response_alg,
  }
}

const newSecret = () => {
  const shown = randomSecret()
  return { shown, hash: new Uint8Array(sha256(shown)) }
}

const factsOf = ({ id, name, host }: Pick<SiteRow, 'id' | 'name' | 'host'>) => ({
  targets: [{ type: 'site' as const, id }],
  metadata: { site_name: name, host },
})

/** Throws `invalid_request` for a receiver that this service must not call. */
async function checkNotice(context: DucklingContext<'invalid_request'>, url: string | null): Promise<void> {
  if (url !== null)
    await checkUrl(context, url, { field: 'backchannel_logout_uri', privateHosts: new Set<string>() })
}

/** Registers a site of the operator, whom the command line has checked. Returns its secret, which nobody can read again. */
export async function registerSiteByHost(site: z.output<typeof NewSite>, now: Date): Promise<WithSecret> {
  const secret = newSecret()
  const row = await db().site.create({
    data: {
      id: newId('site', now),
      ...columnsOf(site),
      secretHash: secret.hash,
      createdAt: now,
      changedAt: now,
    },
  })
  return { ...present(row), client_secret: secret.shown }
}

/** Returns the sites of the operator. */
export const listSitesOfHost = () =>
  db().site.findMany({ where: { ducklingId: null }, orderBy: { id: 'asc' } })

/** Replaces the secret of a site of the operator, and returns the new one. Returns null when there is none of that id. */
export async function renewSecretByHost(id: string, now: Date): Promise<string | null> {
  const { shown, hash } = newSecret()
  const site = { id, ducklingId: null, selfRegistered: false }
  const { count } = await db().site.updateMany({ where: site, data: { secretHash: hash, changedAt: now } })
  return count === 0 ? null : shown
}

/** Deletes a site of the operator, with all consents and sign-ins. Returns false when there is none of that id. */
export function deleteSiteByHost(id: string, now: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const site = await tx.site.findFirst({ where: { id, ducklingId: null }, select: { id: true } })
    if (site === null) return false
    await endSiteSignIns(tx, sql`"siteId" = ${id}`, now)
    await tx.site.deleteMany({ where: { id } })
    return true
  })
}

/**
 * Registers a site. Its secret cannot be read again later. Throws `invalid_request`, `too_many_sites` or `ProofFailure`; a session of the device flow
 * never has the proof.
 */
export async function registerSite(
  context: DucklingContext<'invalid_request' | 'too_many_sites' | ProofFailure>,
  site: z.output<typeof NewSite>,
): Promise<WithSecret> {
  const { caller, now } = context
  await requireOwnProof(db(), context)
  await checkNotice(context, site.backchannel_logout_uri)
  const secret = newSecret()
  return transaction(async (tx) => {
    await lockName(tx, `sites:${caller.id}`)
    if ((await tx.site.count({ where: { ducklingId: caller.id } })) >= sitesMax)
      throw context.fail('too_many_sites')
    const row = await tx.site.create({
      data: {
        id: newId('site', now),
        ducklingId: caller.id,
        sessionId: caller.sessionId,
        ...columnsOf(site),
        secretHash: secret.hash,
        createdAt: now,
        changedAt: now,
      },
    })
    record(tx, context, 'site.registered', factsOf(row))
    announceChange(tx, context, 'site_registered', '', row.host)
    return { ...present(row), client_secret: secret.shown }
  })
}

/** Returns the caller's sites, the newest first. */
export async function listSites({ caller }: DucklingContext, page: PageRequest): Promise<Page<SiteInput>> {
  const rows = await db().site.findMany({
    where: { ducklingId: caller.id, ...(page.after !== null && { id: { lt: page.after } }) },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(rows, page, ({ id }) => id, present)
}

/**
 * Changes a site of the caller, or its secret. The addresses must stay at the host, because people allowed the host. Throws `site_not_found`,
 * `invalid_request` or `ProofFailure`.
 */
export async function updateSite(
  context: DucklingContext<'site_not_found' | 'invalid_request' | ProofFailure>,
  { client_id: id, new_secret: isNewSecret, ...change }: z.output<typeof SiteChange>,
): Promise<SiteInput & { client_secret: string | null }> {
  const { caller, now } = context
  await requireOwnProof(db(), context)
  await checkNotice(context, change.backchannel_logout_uri)
  const columns = columnsOf(change)
  const secret = isNewSecret ? newSecret() : null
  return transaction(async (tx) => {
    const [row] = await tx.site.updateManyAndReturn({
      where: { id, ducklingId: caller.id, host: columns.host },
      data: {
        ...columns,
        sessionId: caller.sessionId,
        changedAt: now,
        ...(secret && { secretHash: secret.hash }),
      },
    })
    if (row === undefined) {
      const isOwn = (await tx.site.count({ where: { id, ducklingId: caller.id } })) > 0
      throw isOwn
        ? context.fail('invalid_request', {
            errors: [{ field: 'redirect_uris', message: 'must stay at the host of the site' }],
          })
        : context.fail('site_not_found')
    }
    record(tx, context, 'site.updated', {
      ...factsOf(row),
      metadata: { ...factsOf(row).metadata, new_secret: isNewSecret },
    })
    announceChange(tx, context, 'site_changed', '', row.host)
    return { ...present(row), client_secret: secret?.shown ?? null }
  })
}

/** Deletes a site of the caller, with all consents and sign-ins. Throws `site_not_found` or `ProofFailure`. */
export function deleteSite(
  context: DucklingContext<'site_not_found' | ProofFailure>,
  id: string,
): Promise<{ success: true; client_id: string }> {
  const { caller, now } = context
  return transaction(async (tx) => {
    await requireOwnProof(tx, context)
    const site = await tx.site.findFirst({ where: { id, ducklingId: caller.id } })
    if (site === null) throw context.fail('site_not_found')
    await endSiteSignIns(tx, sql`"siteId" = ${id}`, now)
    await tx.site.deleteMany({ where: { id } })
    record(tx, context, 'site.deleted', factsOf(site))
    announceChange(tx, context, 'site_deleted', '', site.host)
    return { success: true, client_id: id }
  })
}
