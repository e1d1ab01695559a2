/**
 * Forgets what has had its time: rows that only fill the tables, or that nobody should keep for ever. Ceremonies, SSO tokens
 * and webhook messages have chores of their own.
 */
import { db, Prisma } from '@/lib/db/client'
import { day, hour, secondsAfter } from '@/lib/kernel/clock'
import { firstIdAt } from '@/lib/kernel/ids'
import { log } from '@/lib/kernel/log'

/** Rows a statement removes: few enough that nobody waits for it. */
const batch = 500
/** Statements a table gets in one go; what is left goes the next time. */
const batchesMax = 200

interface Remains {
  table: string
  /** Seconds they are kept after the time in question. */
  keptSeconds: number
  /** Which rows were done with before that instant; each by an index. */
  outdated(before: Date): Prisma.Sql
}

/** Accounts closed before that instant. Only closed accounts have no address, so the index of the addresses finds them. */
const closed = (before: Date) => Prisma.sql`d."email" IS NULL AND d."deletedAt" < ${before}::timestamptz`

const remains: Remains[] = [
  {
    table: 'Handshake',
    keptSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // How many codes an address got in 24 hours is counted from these.
    table: 'OtpCode',
    keptSeconds: day + hour,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    // No pause is longer than a day.
    table: 'OtpGuard',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"updatedAt" < ${before}::timestamptz`,
  },
  {
    table: 'DeviceToken',
    keptSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // A session that was ended early expires within a day of that.
    table: 'Session',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'MailLink',
    keptSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // When a notice was last mailed matters for ten minutes.
    table: 'Notice',
    keptSeconds: hour,
    outdated: (before) => Prisma.sql`"mailedAt" < ${before}::timestamptz AND "count" = 0`,
  },
  {
    table: 'DailyCount',
    keptSeconds: 2 * day,
    outdated: (before) => Prisma.sql`"day" < (${before}::timestamptz AT TIME ZONE 'UTC')::date`,
  },
  {
    // Spec silent: long enough to look up what was written in the last year. Ids are in order of time, and have an index.
    table: 'SupportTicket',
    keptSeconds: 365 * day,
    outdated: (before) =>
      Prisma.sql`"id" < ${firstIdAt('ticket', before)} AND "createdAt" < ${before}::timestamptz`,
  },
  {
    // Closing deletes keys and endpoints itself. These rows are of accounts that were closed before it did.
    table: 'BeakKey',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"agentId" IN (
      SELECT a."id" FROM "Agent" a JOIN "Duckling" d ON d."id" = a."ducklingId" WHERE ${closed(before)})`,
  },
  {
    table: 'WebhookEndpoint',
    keptSeconds: 30 * day,
    outdated: (before) =>
      Prisma.sql`"ducklingId" IN (SELECT d."id" FROM "Duckling" d WHERE ${closed(before)})`,
  },
  {
    // For 30 days after a token expired, its holder still gets the state of the permission as the answer.
    table: 'GrantToken',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    table: 'PageView',
    keptSeconds: 90 * day,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    table: 'Outbox',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"failedAt" < ${before}::timestamptz`,
  },
  {
    // Spec silent: an address whose owner never confirmed was perhaps not theirs to give.
    table: 'Subscription',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"status" = 'pending' AND "mailedAt" < ${before}::timestamptz`,
  },
]

function removeBatch({ table, keptSeconds, outdated }: Remains, now: Date): Promise<number> {
  const name = Prisma.raw(`"${table}"`)
  const rows = outdated(secondsAfter(now, -keptSeconds))
  return db().$executeRaw`
    DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${name} WHERE ${rows} LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ))`
}

/**
 * Forgets the hashes of expired codes. A code is sent minutes after its row was made and lives ten minutes, so the index of
 * the creation times finds the rows.
 */
function eraseHashes(now: Date): Promise<number> {
  return db().$executeRaw`
    UPDATE "OtpCode" SET "codeHash" = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "OtpCode"
      WHERE "createdAt" < ${now}::timestamptz AND "expiresAt" < ${now}::timestamptz AND "codeHash" IS NOT NULL
      LIMIT ${batch} FOR UPDATE SKIP LOCKED
    ))`
}

/** Repeats a batch until nothing is left, or a table has had its share of one run. Returns the number of rows. */
async function inBatches(work: () => Promise<number>): Promise<number> {
  let sum = 0
  for (let round = 1; round <= batchesMax; round++) {
    const count = await work()
    sum += count
    if (count < batch) break
  }
  return sum
}

/** Removes what is outdated at `now`. Several workers may do so at once; each takes other rows. */
export async function purge(now: Date): Promise<void> {
  const hashes = await inBatches(() => eraseHashes(now))
  if (hashes > 0) log().info({ hashes }, 'hashes of expired codes removed')
  for (const one of remains) {
    const removed = await inBatches(() => removeBatch(one, now))
    if (removed > 0) log().info({ table: one.table, removed }, 'outdated rows removed')
  }
}
