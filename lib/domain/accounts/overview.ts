import { z } from 'zod'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { PendingUndo } from '@/lib/domain/identity/pending-undo'
import { Profile, type ProfileRow, presentProfile, profilesWith } from '@/lib/domain/identity/schema'
import { Recovery } from '@/lib/domain/passkeys/recovery'
import type { DucklingContext } from '@/lib/kernel/context'

/** Limits the count, because counting 100,000 pending pecks on every page would be slow. */
const maxPending = 1000

export const Overview = z
  .object({
    profile: Profile,
    pending_pecks: z.int().meta({ description: 'Pecks that wait for your answer. 1000 for 1000 and more.' }),
    passkeys: z.int(),
    recovery: Recovery.nullable(),
    email_undo: PendingUndo.nullable(),
  })
  .meta({ id: 'Overview' })

interface OverviewRow extends ProfileRow {
  pendingPecks: number
  passkeys: number
  recoveryCreatedAt: Date | null
  recoveryDueAt: Date | null
  undoDueAt: Date | null
}

/** Returns what every page shows about the caller, with one statement. */
export async function readOverview({ caller, now }: DucklingContext): Promise<z.input<typeof Overview>> {
  const counts = sql`,
    (SELECT count(*)::int FROM (
      SELECT 1 FROM "Peck" WHERE "targetDucklingId" = d."id" AND NOT "blocked" AND NOT "stranger" AND "status" = 'pending' AND "expiresAt" > ${now}::timestamptz
      LIMIT ${maxPending}) pending) AS "pendingPecks",
    (SELECT count(*)::int FROM "Passkey" WHERE "ducklingId" = d."id") AS "passkeys",
    (SELECT "createdAt" FROM "PasskeyRecovery" WHERE "ducklingId" = d."id") AS "recoveryCreatedAt",
    (SELECT "dueAt" FROM "PasskeyRecovery" WHERE "ducklingId" = d."id") AS "recoveryDueAt",
    (SELECT min("dueAt") FROM "MailLink" WHERE "ducklingId" = d."id" AND "kind" = 'email_undo' AND "usedAt" IS NULL) AS "undoDueAt"`
  const [row] = await db().rows<OverviewRow>`${profilesWith(counts, [caller.id])}`
  if (row === undefined) throw new Error(`no duckling ${caller.id}`)
  const { recoveryCreatedAt, recoveryDueAt, undoDueAt } = row
  return {
    profile: presentProfile(row, now),
    pending_pecks: row.pendingPecks,
    passkeys: row.passkeys,
    recovery:
      recoveryCreatedAt === null || recoveryDueAt === null
        ? null
        : { requested_at: recoveryCreatedAt, removes_at: recoveryDueAt },
    email_undo: undoDueAt === null ? null : { restores_at: undoDueAt },
  }
}
