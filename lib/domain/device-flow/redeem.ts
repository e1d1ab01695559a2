import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { lockDuckling } from '@/lib/domain/sessions/lock'
import {
  ownerColumns,
  type SessionOwner,
  type StartedSession,
  startCheckedSession,
} from '@/lib/domain/sessions/start'
import type { AnonymousContext } from '@/lib/kernel/context'
import type { Failure } from '@/lib/kernel/failures'
import { readToken } from '@/lib/kernel/secret-token'
import { equalDigests } from '@/lib/kernel/secrets'

/** What the poll of a device answers with, besides the session. */
type PollFailure =
  | 'device_code_invalid'
  | 'device_pending'
  | 'device_polled_too_early'
  | 'device_denied'
  | 'device_expired'

interface PolledRow {
  id: string
  secretHash: Uint8Array
  status: 'pending' | 'approved' | 'denied' | 'used'
  clientName: string
  expiresAt: Date
  ducklingId: string | null
  sessionId: string | null
}

/**
 * Exchanges a device code for a session once a person has approved the device. Of simultaneous calls one succeeds. Throws
 * `device_code_invalid` for an unknown, wrong or used code, and otherwise the failure that says what the device should do now.
 */
export function redeemDeviceCode(
  context: AnonymousContext<PollFailure>,
  deviceCode: string,
): Promise<StartedSession> {
  return transaction(async (tx) => {
    const row = await findRequest(tx, deviceCode)
    if (row === null || row.status === 'used') throw context.fail('device_code_invalid')
    if (row.status === 'denied') throw context.fail('device_denied', { current_status: 'denied' })
    if (row.expiresAt <= context.now) throw context.fail('device_expired', { current_status: 'expired' })
    return row.status === 'pending' ? refusePoll(tx, context, row.id) : startDeviceSession(tx, context, row)
  })
}

async function findRequest(tx: Tx, deviceCode: string): Promise<PolledRow | null> {
  const token = readToken(deviceCode)
  if (token === null) return null
  const [row] = await tx.rows<PolledRow>`
    SELECT "id", "secretHash", "status", "clientName", "expiresAt", "ducklingId", "sessionId" FROM "DeviceRequest"
    WHERE "id" = ${token.id}`
  return row !== undefined && equalDigests(row.secretHash, token.secretHash) ? row : null
}

/**
 * Counts a poll and returns the refusal, which the transaction must return so that the count is committed. A poll before its time makes
 * the interval 5 seconds longer (RFC 8628, section 3.5).
 */
async function refusePoll(tx: Tx, context: AnonymousContext<PollFailure>, id: string): Promise<Failure> {
  const { now } = context
  const [polled] = await tx.rows<{ intervalSeconds: number; isEarly: boolean }>`
    WITH earlier AS (
      SELECT "id", "polledAt" IS NOT NULL AND "polledAt" + "intervalSeconds" * interval '1 second' > ${now}::timestamptz AS "isEarly"
      FROM "DeviceRequest" WHERE "id" = ${id} FOR UPDATE
    )
    UPDATE "DeviceRequest" r SET
      "polledAt" = ${now}::timestamptz,
      "intervalSeconds" = r."intervalSeconds" + CASE WHEN e."isEarly" THEN 5 ELSE 0 END
    FROM earlier e WHERE r."id" = e."id" RETURNING r."intervalSeconds", e."isEarly"`
  if (polled === undefined) return context.fail('device_code_invalid')
  const extras = { retry_after: polled.intervalSeconds, current_status: 'pending' }
  return context.fail(polled.isEarly ? 'device_polled_too_early' : 'device_pending', extras)
}

interface Approver extends SessionOwner {
  authTime: Date
}

/**
 * Starts the session of an approved device. The approval is valid only while the session that gave it is live: so a sign-out, a closed
 * account and the first proof of the address also end approvals that the device has not used yet.
 */
async function startDeviceSession(
  tx: Tx,
  context: AnonymousContext<PollFailure>,
  { id, ducklingId, sessionId, clientName }: PolledRow,
): Promise<StartedSession> {
  const { now } = context
  // The account first, as in other commands. The first proof of the address and the closing of the account wait for this lock.
  if (ducklingId !== null) await lockDuckling(tx, ducklingId)
  const [approver] = await tx.rows<Approver>`
    SELECT ${ownerColumns}, s."authTime" FROM "Session" s JOIN "Duckling" d ON d."id" = s."ducklingId"
    WHERE s."id" = ${sessionId} AND s."ducklingId" = ${ducklingId} AND s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz
      AND d."deletedAt" IS NULL AND d."suspendedAt" IS NULL
    FOR SHARE OF s`
  if (approver === undefined) throw context.fail('device_expired', { current_status: 'expired' })
  const used = await tx.run`
    UPDATE "DeviceRequest" SET "status" = 'used' WHERE "id" = ${id} AND "status" = 'approved' AND "expiresAt" > ${now}::timestamptz`
  if (used === 0) throw context.fail('device_code_invalid')
  const device = { name: clientName, approverAuthTime: approver.authTime }
  return startCheckedSession(tx, context, approver, ['device'], { device })
}
