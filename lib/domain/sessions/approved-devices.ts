/**
 * Devices that the caller approved and that have not fetched their session yet. Until then, the caller can take the approval back: the
 * device is denied, as if the caller had never approved it.
 */
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import type { ApprovedDeviceInput } from './schema'

interface ApprovedRow {
  id: string
  clientName: string
  ip: string | null
  userAgent: string | null
  createdAt: Date
  expiresAt: Date
}

/** Returns the approved devices of the caller that can still sign in, newest first. */
export async function listApprovedDevices({ caller, now }: DucklingContext): Promise<ApprovedDeviceInput[]> {
  const rows = await db().rows<ApprovedRow>`
    SELECT r."id", r."clientName", r."ip", r."userAgent", r."createdAt", r."expiresAt"
    FROM "DeviceRequest" r JOIN "Session" s ON s."id" = r."sessionId"
    WHERE r."ducklingId" = ${caller.id} AND r."status" = 'approved' AND r."expiresAt" > ${now}::timestamptz
      AND s."revokedAt" IS NULL AND s."expiresAt" > ${now}::timestamptz
    ORDER BY r."id" DESC`
  return rows.map((row) => ({
    device_request_id: row.id,
    client_name: row.clientName,
    ip: row.ip,
    user_agent: row.userAgent,
    created_at: row.createdAt,
    expires_at: row.expiresAt,
  }))
}

/**
 * Denies the approved devices of the caller that have not signed in, records each, and returns their number. `condition` selects some of
 * them. A device that fetches its session at the same moment is either denied, or no longer counted here.
 */
export async function withdrawApprovals(
  tx: Tx,
  context: DucklingContext,
  condition: Sql = sql`true`,
): Promise<number> {
  const { caller, now } = context
  const denied = await tx.rows<{ clientName: string }>`
    UPDATE "DeviceRequest" SET "status" = 'denied'
    WHERE "ducklingId" = ${caller.id} AND "status" = 'approved' AND "expiresAt" > ${now}::timestamptz AND ${condition}
    RETURNING "clientName"`
  for (const { clientName } of denied)
    record(tx, context, 'session.device_withdrawn', { metadata: { device: clientName } })
  return denied.length
}
