import { db } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/page'
import { listApprovedDevices } from './approved-devices'
import { type ApprovedDeviceInput, presentSession, type SessionInput, type SessionRow } from './schema'

/** Returns a page of the caller's live sessions, newest first, and the approved devices that have not signed in yet. */
export async function listSessions(
  context: DucklingContext,
  page: PageRequest,
): Promise<Page<SessionInput> & { approved_devices: ApprovedDeviceInput[] }> {
  const { caller, now } = context
  const older = page.after === null ? sql`` : sql`AND "id" < ${page.after}`
  const reading = db().rows<SessionRow>`
    SELECT "id", "amr", "authTime", "createdAt", "expiresAt", "ip", "userAgent", "name", "lastSeenAt" FROM "Session"
    WHERE "ducklingId" = ${caller.id} AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz ${older}
    ORDER BY "id" DESC LIMIT ${page.limit + 1}`
  // Both statements travel together.
  const [rows, devices] = await Promise.all([reading, listApprovedDevices(context)])
  const sessions = pageOf(
    rows,
    page,
    (row) => row.id,
    (row) => presentSession(row, caller.sessionId),
  )
  return { ...sessions, approved_devices: devices }
}
