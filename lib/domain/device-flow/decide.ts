import { transaction } from '@/lib/db/transaction'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { Failure } from '@/lib/kernel/failures'
import { type FindFailure, findWaiting } from './find-waiting'
import type { DeviceDecisionInput } from './schema'

/**
 * Approves or denies the waiting device of a user code. Throws `FindFailure`. Of simultaneous decisions one succeeds. A denial needs the
 * same proof as an approval, because it also needs the code.
 */
export function decideDevice(
  context: DucklingContext<FindFailure>,
  code: string,
  status: DeviceDecisionInput['status'],
): Promise<DeviceDecisionInput> {
  const { caller } = context
  return transaction(async (tx) => {
    const row = await findWaiting(tx, context, code)
    if (row instanceof Failure) return row
    // `findWaiting` has locked the row.
    await tx.run`
      UPDATE "DeviceRequest" SET "status" = ${status}::"DeviceRequestStatus", "ducklingId" = ${caller.id}, "sessionId" = ${caller.sessionId}
      WHERE "id" = ${row.id}`
    record(tx, context, `session.device_${status}`, { metadata: { device: row.clientName } })
    if (status === 'approved') rememberChange(tx, context, 'device_allowed', row.clientName)
    return { status, client_name: row.clientName }
  })
}
