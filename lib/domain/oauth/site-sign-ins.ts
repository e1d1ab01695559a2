/** Sign-ins of sessions at sites. A sign-in is a grant: its tokens work while the session, the consent and the site last. */
import type { Grant, default as Provider } from 'oidc-provider'
import { db, type Tx } from '@/lib/db/client'
import { joinRow, type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { type DucklingContext, type SessionCaller, systemContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { readClock } from '@/lib/kernel/runtime/clock'
import { equalDigests, keyedHash } from '@/lib/kernel/secrets/secrets'
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

/** Returns the id of the grant of a session at a site. */
const grantIdOf = ({ sessionId, siteId }: Visit) =>
  keyedHash('oauth', `site ${sessionId} ${siteId}`).toString('base64url')

/** Returns the name of a sign-in at its site (`sid`). */
export const sidOf = (grantId: string) => keyedHash('oauth', `sid ${grantId}`).toString('base64url')

/** Remembers the sign-in of a session at a site, before the site knows of it. */
export async function beginSignIn(tx: Tx, visit: Visit, host: string, now: Date): Promise<void> {
  const { ducklingId, siteId, sessionId } = visit
  const grantId = grantIdOf(visit)
  await subjectAt(tx, ducklingId, host)
  await tx.run`
    INSERT INTO "SiteSignIn" ("grantHash", "siteId", "ducklingId", "sessionId", "sid", "createdAt")
    VALUES (${grantHashOf(grantId)}, ${siteId}, ${ducklingId}, ${sessionId}, ${sidOf(grantId)}, ${now}::timestamptz)
    ON CONFLICT ("sessionId", "siteId") DO UPDATE SET "grantHash" = EXCLUDED."grantHash", "sid" = EXCLUDED."sid"`
}

/** Stores the grant of a sign-in: what the site may learn, and what the person refused. */
export async function saveGrant(
  server: Provider,
  visit: Visit,
  { scopes, refused }: Consented,
): Promise<Grant> {
  const grant = new server.Grant({ accountId: visit.ducklingId, clientId: visit.siteId })
  grant.jti = grantIdOf(visit)
  grant.addOIDCScope(['openid', ...scopes].join(' '))
  if (refused.length > 0) grant.rejectOIDCScope(refused.join(' '))
  await grant.save()
  return grant
}

/**
 * Goes on with what the person allowed before. Returns the grant, or undefined when the page must ask: without a consent, and at the first sign-in of
 * a session there, unless it has a recent proof, as for SSO tokens (contract F, Sensitive changes).
 */
export async function continueConsent(
  server: Provider,
  caller: SessionCaller,
  siteId: string,
): Promise<Grant | undefined> {
  const { id: ducklingId, sessionId } = caller
  const visit = { ducklingId, siteId, sessionId }
  const context: DucklingContext<ProofFailure> = { ...systemContext(readClock()), caller }
  const consent = await transaction(async (tx) => {
    const found = await tx.siteConsent.findUnique({
      where: { ducklingId_siteId: { ducklingId, siteId } },
      select: { scopes: true, refused: true, site: { select: { host: true } } },
    })
    if (found === null) return undefined
    const known = await tx.siteSignIn.findFirst({ where: { sessionId, siteId }, select: { grantHash: true } })
    if (known === null) await requireProof(tx, context)
    // With another BEAK_SECRET, the grant has another id.
    if (known === null || !equalDigests(known.grantHash, grantHashOf(grantIdOf(visit))))
      await beginSignIn(tx, visit, found.site.host, context.now)
    return found
  }).catch((error: unknown) => {
    if (error instanceof Failure) return undefined
    throw error
  })
  return consent === undefined ? undefined : saveGrant(server, visit, consent)
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
