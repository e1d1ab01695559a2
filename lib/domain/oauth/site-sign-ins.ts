/** Sign-ins of sessions at sites. A sign-in is a grant: its tokens work while the session, the consent and the site last. */
import { randomBytes } from 'node:crypto'
import type { Grant, default as Provider } from 'oidc-provider'
import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, proofCounts, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { type DucklingContext, type SessionCaller, systemContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { keyedHash } from '@/lib/kernel/secrets/secrets'
import { grantHashOf } from './hashes'
import { subjectAt } from './site-claims'

/** A person at a site, with the session that signs in. */
interface Visit {
  ducklingId: string
  siteId: string
  sessionId: string
}

export interface Consented {
  scopes: string[]
  refused: string[]
}

/** Returns the id of the grant of a sign-in. `sid`: its name at the site. */
const grantIdOf = (sid: string) => keyedHash('oauth', `site ${sid}`).toString('base64url')

/**
 * Remembers the sign-in of a session at a site, before the site knows of it, and returns its name there. One that ended and begins again has another
 * name, so that a late message about the end does not end it too.
 */
export async function beginSignIn(tx: Tx, visit: Visit, host: string, now: Date): Promise<string> {
  const { ducklingId, siteId, sessionId } = visit
  await subjectAt(tx, ducklingId, host)
  const known = await tx.siteSignIn.findFirst({ where: { sessionId, siteId }, select: { sid: true } })
  const sid = known?.sid ?? randomBytes(16).toString('base64url')
  // With another BEAK_SECRET, the grant has another id.
  await tx.run`
    INSERT INTO "SiteSignIn" ("grantHash", "siteId", "ducklingId", "sessionId", "sid", "createdAt")
    VALUES (${grantHashOf(grantIdOf(sid))}, ${siteId}, ${ducklingId}, ${sessionId}, ${sid}, ${now}::timestamptz)
    ON CONFLICT ("sessionId", "siteId") DO UPDATE SET "grantHash" = EXCLUDED."grantHash", "sid" = EXCLUDED."sid"`
  return sid
}

/** The names of the sign-ins of grants. */
const sids = new WeakMap<Grant, string>()

/** Returns the name of the sign-in of a grant at its site. */
export const sidOf = (grant: Grant): string | undefined => sids.get(grant)

/** Stores the grant of a sign-in: what the site may learn, and what the person refused. */
export async function saveGrant(
  server: Provider,
  { ducklingId: accountId, siteId: clientId }: Visit,
  sid: string,
  { scopes, refused }: Consented,
): Promise<Grant> {
  const grant = new server.Grant({ accountId, clientId })
  grant.jti = grantIdOf(sid)
  grant.addOIDCScope(['openid', ...scopes].join(' '))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  await grant.save()
  sids.set(grant, sid)
  return grant
}

/** Finds a stored grant, of a sign-in or of a connection. */
export async function readGrant(server: Provider, id: string): Promise<Grant | undefined> {
  const [grant, signIn] = await Promise.all([
    server.Grant.find(id),
    db().siteSignIn.findUnique({ where: { grantHash: grantHashOf(id) }, select: { sid: true } }),
  ])
  if (grant !== undefined && signIn !== null) sids.set(grant, signIn.sid)
  return grant
}

/**
 * Goes on with what the person allowed before. Returns the grant, or undefined when the page must ask: without a consent, and at the first sign-in of
 * a session there, unless it has a recent proof, as for SSO tokens (contract F, Sensitive changes). The proof counts until its passkey is removed.
 */
export async function continueConsent(
  server: Provider,
  caller: SessionCaller,
  siteId: string,
): Promise<Grant | undefined> {
  const { id: ducklingId, sessionId } = caller
  const visit = { ducklingId, siteId, sessionId }
  const context: DucklingContext<ProofFailure> = { ...systemContext(readClock()), caller }
  const begun = await transaction(async (tx) => {
    const consent = await tx.siteConsent.findUnique({
      where: { ducklingId_siteId: { ducklingId, siteId } },
      select: { scopes: true, refused: true, site: { select: { host: true } } },
    })
    if (consent === null) return undefined
    const [proved] = await tx.rows`
      SELECT 1 FROM "SiteSignIn" v ${joinRow('Session', 's', 'v."sessionId"')}
      WHERE v."sessionId" = ${sessionId} AND v."siteId" = ${siteId} AND ${proofCounts('s')}`
    if (proved === undefined) await requireProof(tx, context)
    return { consent, sid: await beginSignIn(tx, visit, consent.site.host, context.now) }
  }).catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
  return begun === undefined ? undefined : saveGrant(server, visit, begun.sid, begun.consent)
}

/** A sign-in whose session, account and consent last. */
const liveSignIn = (now: Date): Sql => sql`
  FROM "SiteSignIn" v ${joinRow('Session', 's', 'v."sessionId"')} ${joinRow('Duckling', 'd', 'v."ducklingId"')}
  JOIN "SiteConsent" c ON c."ducklingId" = v."ducklingId" AND c."siteId" = v."siteId"
  WHERE s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL`

/** Returns the scopes that the person of a sign-in allows now, or null when the sign-in has ended. */
export async function findAllowedScopes(grantHash: Uint8Array): Promise<string[] | null> {
  const [row] = await db().rows<{ scopes: string[] }>`
    SELECT c."scopes" ${liveSignIn(readClock())} AND v."grantHash" = ${grantHash}`
  return row?.scopes ?? null
}

interface UsedRow {
  ducklingId: string
  siteId: string
  sessionId: string
  name: string
  host: string
}

/** Records that a site signed a person in, in the transaction that spends its code. Returns false when the sign-in has ended. */
export async function spendSignIn(tx: Tx, grantHash: Uint8Array, now: Date): Promise<boolean> {
  const [used] = await tx.rows<UsedRow>`
    WITH live AS (SELECT v."grantHash" ${liveSignIn(now)} AND v."grantHash" = ${grantHash}),
      used AS (
        UPDATE "SiteSignIn" SET "usedAt" = ${now}::timestamptz WHERE "grantHash" IN (SELECT "grantHash" FROM live) RETURNING *),
      consent AS (
        UPDATE "SiteConsent" c SET "lastUsedAt" = ${now}::timestamptz FROM used
        WHERE c."ducklingId" = used."ducklingId" AND c."siteId" = used."siteId")
    SELECT used."ducklingId", used."siteId", used."sessionId", site."name", site."host"
    FROM used JOIN "Site" site ON site."id" = used."siteId"`
  if (used === undefined) return false
  const { ducklingId, siteId, sessionId, name, host } = used
  record(tx, systemContext(now), 'site.signed_in', {
    concerning: [ducklingId],
    actor: { type: 'duckling', id: ducklingId },
    targets: [
      { type: 'site', id: siteId },
      { type: 'session', id: sessionId },
    ],
    metadata: { site_name: name, host },
  })
  return true
}
