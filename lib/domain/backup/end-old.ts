/**
 * A backup is old: what was true when it was made may have been used, revoked or stolen since. So nothing of it gives access or permission
 * until a person has said so again (contract E, Backup and restore).
 *
 * All this runs on the tables as the version that made the backup had them; newer migrations follow. 0.3.0 is the first version with backups,
 * so a table or a column of a later one may be missing here.
 */
import { revocationDigest } from '@beak/proofs/log/entry'
import type { Queries } from '@/lib/db/sql'
import { isActiveGrant } from '@/lib/domain/pecks/grant/active'

export interface Ended {
  sessions: number
  permissions: number
  requests: number
  agents: number
  rules: number
  messages: number
}

/** Revokes every permission that could still be used, with its entry for the transparency log. */
async function revokePermissions({ rows, run }: Queries, now: Date): Promise<number> {
  const revoked = await rows<{ id: string; target: string; statementDigest: Uint8Array | null }>`
    UPDATE "Peck" SET "grantRevokedAt" = ${now}::timestamptz
    WHERE ${isActiveGrant(now)}
    RETURNING "id", "targetDucklingId" AS "target", "statementDigest"`
  for (const { id, target, statementDigest } of revoked) {
    if (statementDigest === null) continue
    const digest = revocationDigest(Buffer.from(statementDigest).toString('base64url'), now.toISOString())
    await run`
      INSERT INTO "LogQueue" ("kind", "digest", "ducklingId", "subjectId")
      VALUES ('revoked', decode(${digest}, 'hex'), ${target}, ${id})`
  }
  return revoked.length
}

async function suspendAgents({ rows, run }: Queries, now: Date): Promise<number> {
  const agents = await rows<{ wasBonded: boolean }>`
    UPDATE "Agent" a SET "status" = 'suspended', "suspendedAt" = ${now}::timestamptz, "suspendReason" = 'restored'
    FROM "Agent" before
    WHERE before."id" = a."id" AND a."status" IN ('registered', 'bonded')
    RETURNING before."status" = 'bonded' AS "wasBonded"`
  const bonded = agents.filter(({ wasBonded }) => wasBonded).length
  if (bonded > 0)
    await run`INSERT INTO "MetricDelta" ("name", "delta") VALUES ('bonded_agents', ${-bonded}::int)`
  return agents.length
}

/**
 * Pauses every rule: since the backup it may have ended, become narrower or spent its budget. Resuming needs the passkey, as always.
 */
function pauseRules({ run }: Queries): Promise<number> {
  return run`UPDATE "Rule" SET "status" = 'paused', "reason" = 'restored' WHERE "status" = 'on'`
}

/** Deletes what waits to be sent: most of it was sent since. Work that deletes or signs again stays. */
async function dropMessages({ run }: Queries, now: Date): Promise<number> {
  const count = await run`
    DELETE FROM "Outbox" WHERE "kind" NOT IN ('erase_context', 'forget_stopped', 'replace_signatures')`
  await run`UPDATE "Outbox" SET "claimedUntil" = NULL, "dueAt" = ${now}::timestamptz`
  await run`UPDATE "WebhookDelivery" SET "status" = 'failed', "nextAttemptAt" = NULL WHERE "status" = 'pending'`
  await run`DELETE FROM "WebhookQueue"`
  await run`DELETE FROM "Notice"`
  await run`DELETE FROM "PeckMail"`
  await run`UPDATE "PeckNotice" SET "isScheduled" = false`
  return count
}

/** Ends codes, links and everything else that is unfinished. A waiting undo and a waiting recovery must be asked for again. */
async function endUnfinished({ rows, run }: Queries, now: Date): Promise<void> {
  await run`UPDATE "OtpCode" SET "codeHash" = NULL, "deadAt" = COALESCE("deadAt", ${now}::timestamptz)`
  await run`UPDATE "SsoToken" SET "revokedAt" = ${now}::timestamptz WHERE "spentAt" IS NULL AND "revokedAt" IS NULL`
  await run`UPDATE "MailLink" SET "dueAt" = NULL`
  await run`UPDATE "Approver" SET "removesAt" = NULL`
  await run`UPDATE "Invitation" SET "endedAt" = ${now}::timestamptz, "sealed" = NULL WHERE "endedAt" IS NULL`
  await run`UPDATE "LogWitness" SET "claimedUntil" = NULL`
  await run`DELETE FROM "Ceremony"`
  await run`DELETE FROM "DeviceRequest"`
  await run`DELETE FROM "DeviceToken"`
  await run`DELETE FROM "Handshake"`
  await run`DELETE FROM "IdempotencyKey"`
  await run`DELETE FROM "PasskeyRecovery"`
  await run`DELETE FROM "SignInLink"`
  await run`DELETE FROM "SignUpPass"`
  await run`DELETE FROM "SignOnProof"`
  // Codes and tokens of connected programs. Backups from before 0.4.0 have no such table.
  const oauth = await rows`SELECT 1 WHERE to_regclass('"OAuthRecord"') IS NOT NULL`
  if (oauth.length > 0) await run`DELETE FROM "OAuthRecord" WHERE "kind" <> 'Client'`
  // The owner may have ended what a site may learn. Whom it knows the owner as stays.
  const sites = await rows`SELECT 1 WHERE to_regclass('"SiteConsent"') IS NOT NULL`
  if (sites.length > 0) {
    await run`DELETE FROM "SiteSignIn"`
    await run`DELETE FROM "SiteConsent"`
    // The secret may have been replaced since, because somebody had it.
    await run`UPDATE "Site" SET "secretHash" = ''`
  }
}

/** Enqueues an event for the log of every account, and a mail to every verified address. */
async function tellOwners({ run }: Queries, madeAt: string, now: Date): Promise<void> {
  const facts = { made_at: madeAt, at: now.toISOString() }
  await run`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT 'restored', jsonb_build_object('duckling_id', "id", 'made_at', ${madeAt}::text, 'restored_at', ${now.toISOString()}::text),
      ${now}::timestamptz, ${now}::timestamptz
    FROM "Duckling" WHERE "deletedAt" IS NULL`
  await run`
    INSERT INTO "Outbox" ("kind", "payload", "dueAt", "createdAt")
    SELECT 'notice_since_0_3', jsonb_build_object('duckling_id', "id", 'notice', 'service_restored', 'facts', ${JSON.stringify(facts)}::jsonb),
      ${now}::timestamptz, ${now}::timestamptz
    FROM "Duckling" WHERE "deletedAt" IS NULL AND "email" IS NOT NULL AND "emailVerifiedAt" IS NOT NULL`
}

/** Ends what must not go on, in the transaction that restores the rows. Returns how much of it there was. */
export async function endOld(queries: Queries, madeAt: string, now: Date): Promise<Ended> {
  const { run } = queries
  const sessions = await run`
    UPDATE "Session" SET "revokedAt" = ${now}::timestamptz WHERE "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz`
  const requests = await run`
    UPDATE "Peck" SET "status" = 'cancelled', "pendingKey" = NULL, "decidedAt" = ${now}::timestamptz,
      "snoozedUntil" = NULL, "rejectAt" = NULL, "heldRejection" = NULL
    WHERE "status" = 'pending'`
  const permissions = await revokePermissions(queries, now)
  const agents = await suspendAgents(queries, now)
  const rules = await pauseRules(queries)
  const messages = await dropMessages(queries, now)
  await endUnfinished(queries, now)
  await tellOwners(queries, madeAt, now)
  return { sessions, permissions, requests, agents, rules, messages }
}
