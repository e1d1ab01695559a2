/**
 * Forgets what has had its time: rows that only fill the tables, or that nobody should keep for ever. Ceremonies, SSO tokens
 * and webhook messages have chores of their own.
 */
import { db, Prisma } from '@/lib/db/client'
import { day, secondsAfter } from '@/lib/kernel/clock'
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

const remains: Remains[] = [
  {
    table: 'Handshake',
    keptSeconds: 0,
    outdated: (before) => Prisma.sql`"expiresAt" < ${before}::timestamptz`,
  },
  {
    // The number of codes sent to an address in a day is counted from these.
    table: 'OtpCode',
    keptSeconds: 2 * day,
    outdated: (before) => Prisma.sql`"createdAt" < ${before}::timestamptz`,
  },
  {
    // After 100 wrong tries codes stay off until a passkey sign-in, however long that takes (contract A).
    table: 'OtpGuard',
    keptSeconds: 30 * day,
    outdated: (before) => Prisma.sql`"updatedAt" < ${before}::timestamptz AND "failures" < 100`,
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

/** Removes what is outdated at `now`. Several workers may do so at once; each takes other rows. */
export async function purge(now: Date): Promise<void> {
  for (const one of remains) {
    let removed = 0
    for (let round = 1; round <= batchesMax; round++) {
      const count = await removeBatch(one, now)
      removed += count
      if (count < batch) break
    }
    if (removed > 0) log().info({ table: one.table, removed }, 'outdated rows removed')
  }
}
