import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { type ProofFailure, requireProof } from '@/lib/domain/sessions/proof'
import { rememberChange } from '@/lib/domain/sessions/recent-changes'
import { countToday, nextDay } from '@/lib/infrastructure/events/handover'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { Failure } from '@/lib/kernel/request/failures'
import { isSameNetwork } from '@/lib/kernel/request/host-name'
import { secondsUntil } from '@/lib/kernel/runtime/clock'
import { showUserCode, userCodeHashes } from './authorize'
import type { DeviceDecisionInput, WaitingDeviceInput } from './schema'

/**
 * User codes that an account may enter in a day. With 10 calls a minute for each address, a guess meets one of 1,000 waiting devices
 * once in 25 million tries.
 */
const dailyMax = 100

type FindFailure = ProofFailure | 'too_many_user_codes' | 'user_code_invalid' | 'device_already_decided'

interface WaitingRow {
  id: string
  clientName: string
  ip: string | null
  userAgent: string | null
  status: string
  ducklingId: string | null
  createdAt: Date
  expiresAt: Date
}

/**
 * Finds the waiting device of a user code and locks its row. Throws the failures of `requireProof`, or `too_many_user_codes`. Returns `user_code_invalid`
 * or `device_already_decided`: the command must *return* them from the transaction, so that the count of the try is committed. The decision of
 * another account looks like an unknown code.
 */
async function findWaiting(
  tx: Tx,
  context: DucklingContext<FindFailure>,
  code: string,
): Promise<WaitingRow | Failure> {
  const { caller, now } = context
  await requireProof(tx, context)
  if (!(await countToday(tx, 'user_codes', caller.id, dailyMax, now)))
    throw context.fail('too_many_user_codes', { retry_after: secondsUntil(nextDay(now), now) })
  const [row] = await tx.rows<WaitingRow>`
    SELECT "id", "clientName", "ip", "userAgent", "status", "ducklingId", "createdAt", "expiresAt" FROM "DeviceRequest"
    WHERE "userCodeHash" = ANY(${userCodeHashes(code)}::bytea[]) AND "expiresAt" > ${now}::timestamptz
    FOR UPDATE`
  if (row === undefined || (row.ducklingId !== null && row.ducklingId !== caller.id))
    return context.fail('user_code_invalid')
  return row.status === 'pending'
    ? row
    : context.fail('device_already_decided', { current_status: row.status })
}

/** Returns the waiting device of a user code, for the person who decides. Throws `FindFailure`. */
export function viewDevice(context: DucklingContext<FindFailure>, code: string): Promise<WaitingDeviceInput> {
  return transaction(async (tx) => {
    const row = await findWaiting(tx, context, code)
    return row instanceof Failure ? row : presentDevice(row, code, context.ip)
  })
}

function presentDevice(row: WaitingRow, code: string, viewerIp: string | null): WaitingDeviceInput {
  return {
    user_code: showUserCode(code),
    client_name: row.clientName,
    ip: row.ip,
    user_agent: row.userAgent,
    same_network: row.ip !== null && viewerIp !== null && isSameNetwork(row.ip, viewerIp),
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }
}

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
