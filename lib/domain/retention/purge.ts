/**
 * Deletes rows after their retention time. Other jobs of the worker delete passkey ceremonies, SSO tokens and webhook messages.
 */
import { db, Prisma } from '@/lib/db/client'
import { handleYear } from '@/lib/domain/handles/holder'
import { day, hour, secondsAfter } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { firstIdAt } from '@/lib/kernel/secrets/ids'

/** Rows per statement. Few, so that other transactions do not wait long. */
const batch = 500
/** Statements per table and run. The next run deletes the rest. */
const batchesMax = 200

interface Retention {
  table: string
  /** Seconds that rows are kept after the time which `outdated` compares. */
  retentionSeconds: number
  /** Selects the rows whose time is before that instant. The condition must use an index. */
  outdated(before: Date): Prisma.Sql
}

/** Selects accounts that were closed before that instant. Only closed accounts have no address, so the index of addresses finds them. */
const closed = (before: Date) => Prisma.sql`d."email" IS NULL AND d."deletedAt" < ${before}::timestamptz`

const retentions: Retention[] = [
  {
    // A released handle is blocked for a year (contract F, Handles).
    table: 'Handle',
    retentionSeconds: handleYear,
    outdated: (before) => Prisma.sql`"releasedAt" < ${before}::timestamptz`,
  },
  {
    table: 'Handshake',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // The limit of codes per address and 24 hours counts these rows.
    table: 'OtpCode',
    retentionSeconds: day + hour,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    // A request waits for at most 30 days.
    table: 'PeckAnnouncement',
    retentionSeconds: 60 * day,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    // A pause takes at most a day.
    table: 'OtpGuard',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"updatedAt" < ${before}::timestamptz`,
  },
  {
    table: 'OAuthRecord',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // A newer key of its algorithm has signed for most of an hour, so the tokens of this one have expired.
    table: 'OAuthKey',
    retentionSeconds: hour,
    outdated: (before) =>
      Prisma.sql`"createdAt" < (SELECT max(k."createdAt") FROM "OAuthKey" k WHERE k."alg" = "OAuthKey"."alg" AND k."createdAt" < ${before}::timestamptz)`,
  },
  {
    table: 'SiteSignIn',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    // Sites that registered themselves: nobody signed in within a day, or for 90 days.
    table: 'Site',
    retentionSeconds: day,
    outdated: (
      before,
    ) => Prisma.sql`"selfRegistered" AND "createdAt" < ${before}::timestamptz AND NOT EXISTS (SELECT 1 FROM "SiteConsent" c
      WHERE c."siteId" = "Site"."id" AND COALESCE(c."lastUsedAt", c."createdAt") > ${secondsAfter(before, -89 * day)}::timestamptz)`,
  },
  {
    table: 'SignUpPass',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'SignInLink',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'OperatorAction',
    retentionSeconds: 365 * day,
    outdated: (before) => Prisma.sql`"startedAt" < ${before}::timestamptz`,
  },
  {
    table: 'DeviceToken',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'DeviceRequest',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // A session that was revoked expires within a day.
    table: 'Session',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'MailLink',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // The time of the last mail is needed for ten minutes.
    table: 'Notice',
    retentionSeconds: hour,
    outdated: (before) => Prisma.sql`"mailedAt" < ${before}::timestamptz AND "count" = 0`,
  },
  {
    // Changes are shown for an hour, and for 7 days in a browser that reported them.
    table: 'RecentChange',
    retentionSeconds: 7 * day,
    outdated: (before) => Prisma.sql`"changedAt" < ${before}::timestamptz`,
  },
  {
    // Mails that could not be sent about pecks that have expired. The ids are ordered by time, and a peck waits for 30 days at most.
    table: 'PeckMail',
    retentionSeconds: 31 * day,
    outdated: (before) => Prisma.sql`"peckId" < ${firstIdAt('peck', before)}`,
  },
  {
    // 90 days. What was approved stays, because the risk of the next request depends on it. The rules treat an action that was
    // never approved like one that was never asked for.
    table: 'AskerHistory',
    retentionSeconds: 90 * day,
    outdated: (before) => Prisma.sql`"approved" = 0 AND "askedAt" < ${before}::timestamptz`,
  },
  {
    // The owner sees links for 30 days after their end.
    table: 'Invitation',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"endedAt" < ${before}::timestamptz`,
  },
  {
    table: 'Invitation',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // What a rule that only watches would have answered. The ids are ordered by time, and "RuleUse_watched_idx" has the same condition.
    table: 'RuleUse',
    retentionSeconds: 90 * day,
    outdated: (before) => Prisma.sql`"state" = 'watched' AND "peckId" < ${firstIdAt('peck', before)}`,
  },
  {
    table: 'DailyCount',
    retentionSeconds: 2 * day,
    outdated: (before) => Prisma.sql`"day" < (${before}::timestamptz AT TIME ZONE 'UTC')::date`,
  },
  {
    // A bucket that nobody used for so long is full, as without a row.
    table: 'Budget',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"refilledAt" < ${before}::timestamptz`,
  },
  {
    // One year, so that support can look up earlier requests. The ids are ordered by time and have an index.
    table: 'SupportTicket',
    retentionSeconds: 365 * day,
    outdated: (before) =>
      Prisma.sql`"id" < ${firstIdAt('ticket', before)} AND "createdAt" < ${before}::timestamptz`,
  },
  {
    // Closing an account deletes its keys and endpoints. These rows are from accounts that were closed before it did so.
    table: 'BeakKey',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"agentId" IN (
      SELECT a."id" FROM "Agent" a JOIN "Duckling" d ON d."id" = a."ducklingId" WHERE ${closed(before)})`,
  },
  {
    table: 'WebhookEndpoint',
    retentionSeconds: 30 * day,
    outdated: (before) =>
      Prisma.sql`"ducklingId" IN (SELECT d."id" FROM "Duckling" d WHERE ${closed(before)})`,
  },
  {
    // Until then the holder of an expired token still gets the state of the permission.
    table: 'GrantToken',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'IdempotencyKey',
    retentionSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'PageView',
    retentionSeconds: 90 * day,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    table: 'StatusDay',
    retentionSeconds: 365 * day,
    outdated: (before) => Prisma.sql`"day" < (${before}::timestamptz AT TIME ZONE 'UTC')::date`,
  },
  {
    table: 'Incident',
    retentionSeconds: 365 * day,
    outdated: (before) => Prisma.sql`"endedAt" < ${before}::timestamptz`,
  },
  {
    table: 'Outbox',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"failedAt" < ${before}::timestamptz`,
  },
  {
    // 30 days: an address that was not confirmed may belong to somebody who never asked to subscribe.
    table: 'Subscription',
    retentionSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"status" = 'pending' AND "mailedAt" < ${before}::timestamptz`,
  },
]

function removeBatch({ table, retentionSeconds, outdated }: Retention, now: Date): Promise<number> {
  const name = Prisma.raw(`"${table}"`)
  const rows = outdated(secondsAfter(now, -retentionSeconds))
  return db().run`
    DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE ${rows} LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ))`
}

/**
 * Deletes the hashes of expired codes. A code expires minutes after its row was created, so the index of creation times finds the
 * rows.
 */
function eraseCodeHashes(now: Date): Promise<number> {
  return db().run`
    UPDATE "OtpCode" SET "codeHash" = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "OtpCode"
      WHERE "createdAt" < ${now}::timestamptz AND "expiresAt" < ${now}::timestamptz AND "codeHash" IS NOT NULL
      LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ))`
}

/**
 * Deletes what is left of rejections that can be undone from pecks that are decided. During an update of the service, earlier versions decide
 * such pecks and do not know these columns.
 */
function eraseHeldRejections(): Promise<number> {
  // With the condition of the index "Peck_held_idx".
  return db().run`
    UPDATE "Peck" SET "rejectAt" = NULL, "heldRejection" = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "Peck" WHERE "rejectAt" IS NOT NULL AND "status" <> 'pending' LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED
    ))`
}

/** Rules that answered nothing are kept so long after their end. */
const unusedRuleSeconds = 365 * day

/** Deletes rules that ended long ago and never answered, with what their owners signed. Receipts need the others. */
function removeUnusedRules(now: Date): Promise<number> {
  return db().run`
    WITH unused AS (
      SELECT r."id" FROM "Rule" r WHERE r."endedAt" < ${secondsAfter(now, -unusedRuleSeconds)}::timestamptz
        AND NOT EXISTS (SELECT 1 FROM "RuleUse" u WHERE u."ruleId" = r."id") LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ), statements AS (DELETE FROM "RuleStatement" WHERE "ruleId" IN (SELECT "id" FROM unused))
    DELETE FROM "Rule" WHERE "id" IN (SELECT "id" FROM unused)`
}

/** Repeats a batch until no rows are left or the limit of a run is reached. Returns the number of rows. */
async function inBatches(work: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let round = 1; round <= batchesMax; round++) {
    const count = await work()
    sum += count
    if (count < batch) break
  }
  return sum
}

/** Deletes outdated rows. Workers that run at the same time take different rows. */
export async function purge(now: Date): Promise<void> {
  const hashes = await inBatches(() => eraseCodeHashes(now))
  if (hashes > 0) log().info({ hashes }, 'hashes of expired codes removed')
  const held = await inBatches(eraseHeldRejections)
  if (held > 0) log().info({ held }, 'rests of rejections removed from decided pecks')
  const unused = await inBatches(() => removeUnusedRules(now))
  if (unused > 0) log().info({ rules: unused }, 'ended rules without answers removed')
  for (const retention of retentions) {
    const removed = await inBatches(() => removeBatch(retention, now))
    if (removed > 0) log().info({ table: retention.table, removed }, 'outdated rows removed')
  }
}
