/** What people allow sites: the decision, the list, and the end. */
import type { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { lockName, transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { hasPasskey, type ProofFailure, requireOwnProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { authenticationOf, secondsOf } from './authentication'
import { answerServer, type ConsentRequest, loadServer, readInteraction, spend } from './interaction'
import type { ConsentDecision, SiteAsked, SiteConsent } from './schema'
import { readSiteScopes, type SiteScope, wantsPasskey } from './site-scopes'
import { beginSignIn, saveGrant } from './site-sign-ins'

interface Asked {
  id: string
  siteId: string
  name: string
  host: string
  selfRegistered: boolean
  scopes: SiteScope[]
  /** Whether a passkey must have signed the person in. */
  needsPasskey: boolean
  /** The person must have been authenticated since then. */
  since: Date
}

/** Returns the earliest time of the authentication that a site accepts (OpenID Connect Core, 3.1.2.1: `prompt` and `max_age`). */
function sinceOf({ prompt, max_age: maxAge }: Record<string, unknown>, begun: number, now: Date): Date {
  const asked = begun * 1000
  if (
    String(prompt ?? '')
      .split(' ')
      .includes('login')
  )
    return new Date(asked)
  if (maxAge === undefined) return new Date(0)
  // Whoever signs in for the request is not too late for a short `max_age`.
  return new Date(Math.max(0, Math.min(asked, now.getTime() - Number(maxAge) * 1000)))
}

/** Reads what a site asks. Throws `consent_not_found`, also for a program. */
async function readAsked(
  context: DucklingContext<'consent_not_found'>,
  request: ConsentRequest,
): Promise<Asked> {
  const { client, interaction } = await readInteraction(context, request)
  const site = await db().site.findUnique({
    where: { id: client.clientId },
    select: { name: true, host: true, selfRegistered: true },
  })
  if (site === null) throw context.fail('consent_not_found')
  const { params, iat } = interaction
  return {
    id: request.request,
    siteId: client.clientId,
    ...site,
    scopes: readSiteScopes(String(params.scope ?? '')),
    needsPasskey: wantsPasskey(params.acr_values),
    since: sinceOf(params, iat, context.now),
  }
}

/** Returns the scopes of a request for which the person has nothing to give. */
async function findMissing(scopes: readonly SiteScope[], id: string): Promise<SiteScope[]> {
  if (!scopes.includes('handle') && !scopes.includes('certificate')) return []
  const [person] = await db().rows<{ handle: boolean; certificate: boolean }>`
    SELECT d."handle" IS NOT NULL AS "handle", EXISTS (SELECT 1 FROM "Certificate" c WHERE c."activeFor" = d."id") AS "certificate"
    FROM "Duckling" d WHERE d."id" = ${id}`
  return scopes.filter((scope) => (scope === 'handle' || scope === 'certificate') && person?.[scope] !== true)
}

/** Returns what a site asks. Throws `consent_not_found`. */
export async function viewSite(
  context: DucklingContext<'consent_not_found'>,
  request: ConsentRequest,
): Promise<z.input<typeof SiteAsked>> {
  const { siteId, name, host, selfRegistered, scopes, needsPasskey } = await readAsked(context, request)
  const { caller } = context
  const missing = await findMissing(scopes, caller.id)
  const consent = await db().siteConsent.findUnique({
    where: { ducklingId_siteId: { ducklingId: caller.id, siteId } },
    select: { scopes: true, createdAt: true },
  })
  return {
    name,
    host,
    self_registered: selfRegistered,
    scopes: scopes.filter((scope) => !missing.includes(scope)),
    missing,
    allowed: readSiteScopes(consent?.scopes ?? []),
    allowed_at: consent?.createdAt ?? null,
    passkey_missing: needsPasskey && !(await hasPasskey(db(), caller)),
  }
}

/**
 * Throws unless the person was authenticated as the site demands. At the first sign-in of a session at a site that takes a recent proof, as for SSO
 * tokens.
 */
async function requireAuthentication(
  tx: Tx,
  context: DucklingContext<ProofFailure>,
  { needsPasskey, since }: Asked,
): Promise<void> {
  const { caller } = context
  await requireOwnProof(tx, context)
  const { passkeyAt } = caller
  if (needsPasskey && (passkeyAt === null || passkeyAt < since))
    throw context.fail('fresh_passkey_needed', { required: 'passkey' })
  if (authenticationOf(caller).at >= since) return
  if (await hasPasskey(tx, caller)) throw context.fail('fresh_passkey_needed', { required: 'passkey' })
  throw context.fail('fresh_sign_in_needed', { required: 'fresh_sign_in' })
}

/** Returns a consent after a decision: what was decided before about other scopes stays. */
function merged(
  { scopes: before, refused }: { scopes: string[]; refused: string[] },
  asked: readonly SiteScope[],
  granted: readonly SiteScope[],
) {
  const others = (list: string[]) => readSiteScopes(list).filter((scope) => !asked.includes(scope))
  return {
    scopes: readSiteScopes([...others(before), ...granted]),
    refused: readSiteScopes([...others(refused), ...asked.filter((scope) => !granted.includes(scope))]),
  }
}

/**
 * Signs the caller in at a site, which learns what was ticked. Throws `consent_not_found`, `consent_decided` or `ProofFailure`; a session of the
 * device flow never has the proof.
 */
export async function allowSite(
  context: DucklingContext<'consent_not_found' | 'consent_decided' | ProofFailure>,
  request: ConsentRequest,
  ticked: readonly SiteScope[],
): Promise<z.input<typeof ConsentDecision>> {
  const { caller, now } = context
  const asked = await readAsked(context, request)
  const { siteId, host, name } = asked
  const missing = await findMissing(asked.scopes, caller.id)
  // What the person gets later is not given before she reads a sentence about it.
  const granted = asked.scopes.filter((scope) => ticked.includes(scope) && !missing.includes(scope))
  const visit = { ducklingId: caller.id, siteId, sessionId: caller.sessionId }
  const { consent, sid } = await transaction(async (tx) => {
    await requireAuthentication(tx, context, asked)
    await spend(tx, context, asked.id)
    const key = { ducklingId: caller.id, siteId }
    // Another decision could bring back what this one takes away.
    await lockName(tx, `site-consent:${caller.id}:${siteId}`)
    const before = await tx.siteConsent.findUnique({ where: { ducklingId_siteId: key } })
    const after = merged(before ?? { scopes: [], refused: [] }, asked.scopes, granted)
    const row = { ...after, sessionId: caller.sessionId, createdAt: now }
    await tx.siteConsent.upsert({
      where: { ducklingId_siteId: key },
      create: { ...key, ...row },
      update: row,
    })
    // Other sessions have grants with what the person no longer allows.
    if (before?.scopes.some((scope) => !after.scopes.some((kept) => kept === scope)))
      await endSiteSignIns(
        tx,
        sql`"ducklingId" = ${caller.id} AND "siteId" = ${siteId} AND "sessionId" <> ${caller.sessionId}`,
        now,
      )
    const sid = await beginSignIn(tx, visit, host, now)
    record(tx, context, 'site.allowed', {
      targets: [{ type: 'site', id: siteId }],
      metadata: { site_name: name, host, scopes: after.scopes },
    })
    const isMore = after.scopes.some((scope) => before?.scopes.includes(scope) !== true)
    if (before === null || isMore) announceChange(tx, context, 'site_allowed', '', host)
    return { consent: after, sid }
  })
  const { jti: grantId } = await saveGrant(await loadServer(), visit, sid, consent)
  const { at, ...how } = authenticationOf(caller)
  const next = await answerServer(asked.id, {
    login: { accountId: caller.id, ts: secondsOf(at), ...how, remember: false },
    consent: { grantId },
  })
  return { decision: 'allowed', agent_id: null, continue: next }
}

/** Returns the sites that the caller has allowed, the newest first. */
export async function listSiteConsents(
  { caller }: DucklingContext,
  page: PageRequest,
): Promise<Page<z.input<typeof SiteConsent>>> {
  const rows = await db().siteConsent.findMany({
    where: { ducklingId: caller.id, ...(page.after !== null && { siteId: { lt: page.after } }) },
    include: { site: { select: { name: true, host: true } } },
    orderBy: { siteId: 'desc' },
    take: page.limit + 1,
  })
  return pageOf(
    rows,
    page,
    ({ siteId }) => siteId,
    ({ siteId, site, scopes, createdAt, lastUsedAt }) => ({
      site_id: siteId,
      ...site,
      scopes: readSiteScopes(scopes),
      allowed_at: createdAt,
      last_used_at: lastUsedAt,
    }),
  )
}

/** Ends what the caller allowed a site, and all sign-ins there. Throws `site_not_found`. */
export function revokeSiteConsent(
  context: DucklingContext<'site_not_found'>,
  siteId: string,
): Promise<{ success: true; site_id: string }> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const site = await tx.site.findUnique({ where: { id: siteId }, select: { name: true, host: true } })
    const { count } = await tx.siteConsent.deleteMany({ where: { ducklingId: caller.id, siteId } })
    if (site === null || count === 0) throw context.fail('site_not_found')
    await endSiteSignIns(tx, sql`"ducklingId" = ${caller.id} AND "siteId" = ${siteId}`, now)
    record(tx, context, 'site.revoked', {
      targets: [{ type: 'site', id: siteId }],
      metadata: { site_name: site.name, host: site.host },
    })
    return { success: true, site_id: siteId }
  })
}
