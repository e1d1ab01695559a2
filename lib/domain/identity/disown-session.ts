/**
 * "This wasn't me": the link in an alarm ends the session that the alarm is about, and nothing else (contract F, Alarms). A thief of the mailbox has
 * the link too, so it never ends a session that a passkey authenticated, and it counts like the end of another session for a recovery.
 */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { findLink, spendLink } from '@/lib/domain/codes/mail-link'
import { recoverySeconds } from '@/lib/domain/passkeys/recovery'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSiteSignIns } from '@/lib/domain/sessions/end-site-sign-ins'
import { lockDuckling } from '@/lib/domain/sessions/proof'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { newId } from '@/lib/kernel/secrets/ids'
import { mintTokenFor } from '@/lib/kernel/secrets/secret-token'

/**
 * Whether a passkey authenticated the session `s`: it signed in, or a passkey that the account had before, and still has, confirmed the session. A
 * passkey that was added later does not count, because a thief would add one. Nor does a removed passkey: the owner may have just removed the passkey of the thief.
 */
const isByPasskey = sql`('pop' = ANY(s."amr") OR (s."passkeyAt" IS NOT NULL AND (s."passkeyId" IS NULL OR EXISTS (
  SELECT 1 FROM "Passkey" p WHERE p."id" = s."passkeyId" AND p."createdAt" <= s."createdAt"))))`

/**
 * Makes links for those of the sessions that are live and that no passkey authenticated. Returns the addresses of their pages by the id of the
 * session. The links work until their sessions end.
 */
export async function makeDisownLinks(
  tx: Tx,
  { ducklingId, address, sessionIds }: { ducklingId: string; address: string; sessionIds: string[] },
  now: Date,
): Promise<Map<string, string>> {
  const links = sessionIds.map((sessionId) => ({ sessionId, ...mintTokenFor(newId('link', now)) }))
  const made = await tx.rows<{ id: string }>`
    INSERT INTO "MailLink" ("id", "kind", "ducklingId", "address", "subjectId", "tokenHash", "createdAt", "expiresAt")
    SELECT link."id", 'disown', s."ducklingId", ${address}, s."id", link."tokenHash", ${now}::timestamptz, s."expiresAt"
    FROM unnest(${links.map(({ id }) => id)}::text[], ${sessionIds}::text[], ${links.map(({ secretHash }) => secretHash)}::bytea[])
      AS link ("id", "sessionId", "tokenHash")
    JOIN "Session" s ON s."id" = link."sessionId"
    WHERE s."ducklingId" = ${ducklingId} AND s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz AND NOT ${isByPasskey}
    RETURNING "id"`
  const ids = new Set(made.map(({ id }) => id))
  return new Map(
    links
      .filter(({ id }) => ids.has(id))
      .map(({ sessionId, token }) => [
        sessionId,
        `${config().baseUrl}/not-me?token=${encodeURIComponent(token)}`,
      ]),
  )
}

interface Ended {
  id: string
  trustTier: Tier
}

/**
 * Ends the session of the link, and removes the known device that it signed in from. Throws `link_invalid`, even when the account has
 * another address now, and `session_by_passkey`, which does not use the link up.
 */
export function disownSession(
  context: AnonymousContext<'link_invalid' | 'session_by_passkey'>,
  token: string,
): Promise<{ success: true }> {
  const { now } = context
  return transaction(async (tx) => {
    const link = await findLink(tx, 'disown', token, now)
    if (link === null) throw context.fail('link_invalid')
    const { id, ducklingId, subjectId, address } = link
    const account = await lockDuckling(tx, ducklingId)
    if (account?.email !== address || !(await spendLink(tx, id, now))) throw context.fail('link_invalid')
    const [session] = await tx.rows<{ isByPasskey: boolean }>`
      SELECT ${isByPasskey} AS "isByPasskey" FROM "Session" s WHERE s."id" = ${subjectId} AND s."ducklingId" = ${ducklingId}`
    if (session?.isByPasskey) throw context.fail('session_by_passkey', {}, { ducklingId })
    const [ended] = await tx.rows<Ended>`
      UPDATE "Session" s SET "revokedAt" = ${now}::timestamptz FROM "Duckling" d
      WHERE s."id" = ${subjectId} AND s."ducklingId" = ${ducklingId} AND d."id" = ${ducklingId} AND s."revokedAt" IS NULL
        AND s."expiresAt" > ${now}::timestamptz AND NOT ${isByPasskey}
      RETURNING s."id", d."trustTier"`
    if (ended !== undefined) await followEnd(tx, context, ducklingId, ended)
    return { success: true }
  })
}

async function followEnd(
  tx: Tx,
  context: AnonymousContext,
  ducklingId: string,
  { id: sessionId, trustTier: tier }: Ended,
): Promise<void> {
  const { now } = context
  await endSiteSignIns(tx, sql`"sessionId" = ${sessionId}`, now)
  signal(tx, sessionId)
  record(tx, context, 'session.revoked', {
    concerning: [ducklingId],
    targets: [{ type: 'session', id: sessionId }],
    metadata: { reason: 'alarm' },
  })
  // As if the ended session had made the change: all other pages show it, and its mark delays a recovery of the next day.
  const caller = {
    type: 'duckling' as const,
    id: ducklingId,
    tier,
    sessionId,
    authTime: now,
    amr: [],
    passkeyAt: null,
  }
  announceChange(tx, { ...context, caller }, 'session_disowned')
  await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND "sessionId" = ${sessionId}`)
  await delayRecovery(tx, ducklingId)
}

/** A pending removal of passkeys takes at least two days then, and what belongs to it lasts as long. */
async function delayRecovery(tx: Tx, ducklingId: string): Promise<void> {
  await tx.run`
    WITH delayed AS (
      UPDATE "PasskeyRecovery" SET "dueAt" = "createdAt" + ${2 * recoverySeconds}::int * interval '1 second'
      WHERE "ducklingId" = ${ducklingId} AND "dueAt" < "createdAt" + ${2 * recoverySeconds}::int * interval '1 second'
      RETURNING "id", "dueAt"
    ), cancel_links AS (
      UPDATE "MailLink" l SET "expiresAt" = delayed."dueAt" FROM delayed
      WHERE l."ducklingId" = ${ducklingId} AND l."kind" = 'recovery_cancel' AND l."subjectId" = delayed."id"
    )
    UPDATE "SignInLink" l SET "expiresAt" = l."expiresAt" + (delayed."dueAt" - l."worksFrom"), "worksFrom" = delayed."dueAt"
    FROM delayed WHERE l."ducklingId" = ${ducklingId} AND l."recoveryId" = delayed."id"`
}
