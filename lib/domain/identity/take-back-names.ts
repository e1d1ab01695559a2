/** Takes back a change of names: within a week, once, and only with a session that has a recent proof (contract B, name-change). */
import { z } from 'zod'
import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { day, secondsAfter } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { instant } from '@/lib/kernel/fields'
import { changeOf, lockNames, type Names, replaceNames } from './change-name'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

/** The latest change of the names, while it can be taken back. */
export const RecentNameChange = z
  .object({
    change: z
      .object({
        changed_at: instant,
        display_name: z.string().meta({ description: 'The display name before the change.' }),
        full_name: z.string().nullable().meta({ description: 'The full name before the change.' }),
        undo_until: instant,
      })
      .nullable(),
  })
  .meta({ id: 'RecentNameChange' })

type RecentNameChangeInput = z.input<typeof RecentNameChange>

const takeBackSeconds = 7 * day

/** Selects the latest change of an account's names that is not taken back, if it is less than a week old. */
const latestChange = (ducklingId: string, now: Date) => sql`
  SELECT "until", "displayName", "fullName" FROM (
    SELECT * FROM "FormerName" WHERE "ducklingId" = ${ducklingId} AND "takenBackAt" IS NULL AND NOT "isTakingBack"
    ORDER BY "until" DESC LIMIT 1) latest
  WHERE "until" > ${secondsAfter(now, -takeBackSeconds)}::timestamptz`

interface ChangeRow extends Names {
  until: Date
}

/** Returns the change of the caller's names that can be taken back, with the names before it, or null. */
export async function findNameChange({ caller, now }: DucklingContext): Promise<RecentNameChangeInput> {
  const [row] = await db().rows<ChangeRow>`${latestChange(caller.id, now)}`
  if (row === undefined) return { change: null }
  const { until, displayName, fullName } = row
  return {
    change: {
      changed_at: until,
      display_name: displayName,
      full_name: fullName,
      undo_until: secondsAfter(until, takeBackSeconds),
    },
  }
}

/**
 * Takes back the latest change of the caller's names, once and within a week (contract B, name-change). Neither needs nor moves the time of the
 * next change, so that nobody gets a change more with it. Throws `no_name_to_take_back` when `changedAt` is not the time of that change.
 */
export function takeBackNames(
  context: DucklingContext<'no_name_to_take_back'>,
  changedAt: Date,
): Promise<ProfileInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const before = await lockNames(tx, caller.id)
    const [after] = await tx.rows<ChangeRow>`
      UPDATE "FormerName" f SET "takenBackAt" = ${now}::timestamptz FROM (${latestChange(caller.id, now)}) c
      WHERE f."ducklingId" = ${caller.id} AND f."until" = c."until" AND f."until" = ${changedAt}::timestamptz AND f."takenBackAt" IS NULL
      RETURNING f."until", f."displayName", f."fullName"`
    if (before === null || after === undefined) throw context.fail('no_name_to_take_back')
    await replaceNames(tx, context, before, after, { isTakingBack: true })
    announceChange(tx, context, 'name_taken_back', changeOf(before, after))
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}
