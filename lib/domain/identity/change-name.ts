import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

const pauseSeconds = 30 * day

/** Changes the caller's display name (contract B, name-change). Throws `name_change_throttled`. */
export function changeName(context: DucklingContext, displayName: string): Promise<ProfileInput> {
  return transaction(async (tx) => {
    await rename(tx, context, displayName)
    return presentProfile(await getDuckling(tx, context.caller.id), context.now)
  })
}

/**
 * Gives the caller another name, at most once in 30 days however it is asked for; the first name, from sign-up, does not
 * count. Throws `name_change_throttled`. The condition stands in the update, so that of simultaneous changes one holds.
 *
 * Spec silent: another case is another name. The name the duckling has already, asked for at a time when it may change, is
 * answered with success and spends nothing.
 */
export async function rename(tx: Tx, context: DucklingContext, displayName: string): Promise<void> {
  const { caller, now } = context
  const allowed = { OR: [{ nextNameChangeAt: null }, { nextNameChangeAt: { lte: now } }] }
  const before = await tx.duckling.findUniqueOrThrow({
    where: { id: caller.id },
    select: { displayName: true },
  })
  const { count } = await tx.duckling.updateMany({
    where: { id: caller.id, displayName: { not: displayName }, ...allowed },
    data: { displayName, nextNameChangeAt: secondsAfter(now, pauseSeconds) },
  })
  if (count === 0) return refuseWithin(tx, context)
  await recordSettingsChange(tx, context)
  await record(tx, context, 'duckling.renamed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { from: before.displayName, to: displayName },
  })
}

/** Throws while the name may not change. */
async function refuseWithin(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  const { nextNameChangeAt } = await tx.duckling.findUniqueOrThrow({
    where: { id: caller.id },
    select: { nextNameChangeAt: true },
  })
  if (nextNameChangeAt === null || nextNameChangeAt <= now) return
  throw fail('name_change_throttled', {
    retry_after: secondsUntil(nextNameChangeAt, now),
    next_allowed_at: nextNameChangeAt.toISOString(),
  })
}
