import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

const pauseSeconds = 30 * day

/** Changes the caller's display name (contract B, name-change). Throws `name_change_throttled`. */
export function changeName(
  context: DucklingContext<'name_change_throttled'>,
  displayName: string,
): Promise<ProfileInput> {
  return transaction(async (tx) => {
    await rename(tx, context, displayName)
    return presentProfile(await getDuckling(tx, context.caller.id), context.now)
  })
}

/**
 * Changes the caller's display name. Allowed once every 30 days over all endpoints. The name from sign-up does not count. Throws
 * `name_change_throttled`. The condition is part of the update, so only one of several simultaneous changes succeeds.
 *
 * A name in another case is another name (contract G). Setting the current name while a change is allowed succeeds and does not
 * start the 30 days.
 */
export async function rename(
  tx: Tx,
  context: DucklingContext<'name_change_throttled'>,
  displayName: string,
): Promise<void> {
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
  if (count === 0) return checkNameChange(tx, context)
  await recordSettingsChange(tx, context)
  record(tx, context, 'duckling.renamed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { from: before.displayName, to: displayName },
  })
}

/** Throws `name_change_throttled` while the name may not change. */
async function checkNameChange(tx: Tx, context: DucklingContext<'name_change_throttled'>): Promise<void> {
  const { caller, now } = context
  const { nextNameChangeAt } = await tx.duckling.findUniqueOrThrow({
    where: { id: caller.id },
    select: { nextNameChangeAt: true },
  })
  if (nextNameChangeAt === null || nextNameChangeAt <= now) return
  throw context.fail('name_change_throttled', {
    retry_after: secondsUntil(nextNameChangeAt, now),
    next_allowed_at: nextNameChangeAt.toISOString(),
  })
}
