import { z } from 'zod'
import { transaction } from '@/lib/db/transaction'
import { moveMail } from '@/lib/domain/pecks/mail/move'
import { recordForTarget } from '@/lib/domain/pecks/record'
import { changePeck, lockPeck, type PeckRow, requireTarget } from '@/lib/domain/pecks/rows'
import { type PeckInput, peckId, presentAnswer } from '@/lib/domain/pecks/schema'
import { withCurrentTime } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { timeOrNull } from '@/lib/kernel/fields'
import { m } from '@/lib/kernel/messages'
import { requirePending } from './transition'

export const SnoozeRequest = z.strictObject({
  peck_id: peckId,
  until: timeOrNull('Later than now and before the peck expires. null brings the peck back at once.'),
})

type SnoozeContext = DucklingContext<
  'peck_not_found' | 'not_the_target' | 'peck_not_pending' | 'invalid_request'
>

/**
 * Takes a pending peck out of the inbox of its target until a time, or brings it back when `until` is null. Only the target learns of it.
 * Throws `peck_not_found`, `not_the_target`, `peck_not_pending`, or `invalid_request` for a time in the past or after the peck expires.
 */
export function snoozePeck(
  context: SnoozeContext,
  { peck_id: id, until }: z.output<typeof SnoozeRequest>,
): Promise<PeckInput> {
  return transaction(async (tx) => {
    const peck = requireTarget(context, await lockPeck(tx, id))
    const current = withCurrentTime(context)
    requirePending(current, peck)
    checkTime(current, peck, until)
    if (until?.getTime() === peck.snoozedUntil?.getTime()) return presentAnswer(peck, current.now)
    const snoozed = changePeck(tx, peck, { snoozedUntil: until })
    if (peck.snoozedUntil !== null) moveMail(tx, { id, from: peck.snoozedUntil, until }, current.now)
    recordForTarget(tx, current, 'peck.snoozed', snoozed, { until: until?.toISOString() ?? null })
    return presentAnswer(snoozed, current.now)
  })
}

function checkTime(context: SnoozeContext, peck: PeckRow, until: Date | null): void {
  if (until === null || (until > context.now && until < peck.expiresAt)) return
  const message =
    until <= context.now
      ? m.field_must_be_later_than_now_or()
      : m.field_must_be_before_time_when_peck({ time: peck.expiresAt.toISOString() })
  throw context.fail('invalid_request', { errors: [{ field: 'until', message }] })
}
