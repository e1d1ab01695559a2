/**
 * Devices that the caller approved and that have not fetched their session yet. Until then, the caller can take the approval back: the
 * device is denied, as if the caller had never approved it.
 */

import { db, Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { signal } from '@/lib/infrastructure/events/signals'
import type { Context, DucklingContext } from '@/lib/kernel/request/context'
import { type Page, type PageRequest, pageOf } from '@/lib/kernel/request/page'
import { removeDevices } from './devices'
import { endSiteSignIns } from './end-site-sign-ins'
import { lockDuckling } from './proof'
import { type ApprovedDeviceInput, presentSession, type SessionInput, type SessionRow } from './schema'

interface ApprovedRow {
  id: string
  clientName: string
  ip: string | null
  userAgent: string | null
  createdAt: Date
  expiresAt: Date
}

/** Returns the approved devices of the caller that can still sign in, newest first. */
async function listApprovedDevices({ caller, now }: DucklingContext): Promise<ApprovedDeviceInput[]> {
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
  context: Context,
  ducklingId: string,
  condition: Sql = sql`true`,
): Promise<number> {
  const denied = await tx.rows<{ clientName: string }>`
    UPDATE "DeviceRequest" SET "status" = 'denied'
    WHERE "ducklingId" = ${ducklingId} AND "status" = 'approved' AND "expiresAt" > ${context.now}::timestamptz AND ${condition}
    RETURNING "clientName"`
  for (const { clientName } of denied)
    record(tx, context, 'session.device_withdrawn', {
      concerning: [ducklingId],
      metadata: { device: clientName },
    })
  return denied.length
}

/** The passkey that signed a session in or confirmed it last, or else the newest one that was added in it. The device of the session has it. */
const passkeyOf = Prisma.sql`coalesce(
  (SELECT p."id" FROM "Passkey" p WHERE p."id" = "Session"."passkeyId"),
  (SELECT max(p."id") FROM "Passkey" p WHERE p."ducklingId" = "Session"."ducklingId" AND p."sessionId" = "Session"."id"))`

/** Returns a page of the caller's live sessions, newest first, and the approved devices that have not signed in yet. */
export async function listSessions(
  context: DucklingContext,
  page: PageRequest,
): Promise<Page<SessionInput> & { approved_devices: ApprovedDeviceInput[] }> {
  const { caller, now } = context
  const older = page.after === null ? sql`` : sql`AND "id" < ${page.after}`
  const reading = db().rows<SessionRow>`
    SELECT "id", "amr", "authTime", "createdAt", "expiresAt", "ip", "userAgent", "name", "lastSeenAt", ${passkeyOf} AS "passkeyId"
    FROM "Session"
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

/** Which sessions to end: one, all except one, those of a passkey except one, or all. */
export type SessionChoice =
  | { only: string }
  | { allBut: string }
  | { ofPasskey: string; allBut: string }
  | 'all'

function condition(choice: SessionChoice): Prisma.Sql {
  if (choice === 'all') return Prisma.empty
  if ('only' in choice) return Prisma.sql`AND "id" = ${choice.only}`
  const ofPasskey = 'ofPasskey' in choice ? Prisma.sql`AND ${passkeyOf} = ${choice.ofPasskey}` : Prisma.empty
  return Prisma.sql`AND "id" <> ${choice.allBut} ${ofPasskey}`
}

/** Ends live sessions of a duckling, with their streams and their sign-ins at sites, and returns their ids, oldest first. Records no event. */
export async function endSessionsOf(
  tx: Tx,
  ducklingId: string,
  choice: SessionChoice,
  now: Date,
): Promise<string[]> {
  const ended = await tx.rows<{ id: string }>`
    UPDATE "Session" SET "revokedAt" = ${now}::timestamptz
    WHERE "ducklingId" = ${ducklingId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}::timestamptz ${condition(choice)}
    RETURNING "id"`
  const ids = ended.map(({ id }) => id).sort()
  await endSiteSignIns(tx, sql`"sessionId" = ANY(${ids}::text[])`, now)
  signal(tx, ...ids)
  return ids
}

/**
 * Ends live sessions of the caller, records the event and returns their ids, oldest first. Every instance rejects
 * their tokens from the next request on, because every request reads its session's row.
 */
export async function endSessions(
  tx: Tx,
  context: DucklingContext,
  choice: SessionChoice,
  kind: Extract<EventKind, 'session.ended' | 'session.revoked'>,
): Promise<string[]> {
  const ids = await endSessionsOf(tx, context.caller.id, choice, context.now)
  if (ids.length > 0) record(tx, context, kind, { targets: ids.map((id) => ({ type: 'session', id })) })
  return ids
}

/** Ends the caller's session. Throws `session_invalid` when another request has just ended it. */
export function signOut(context: DucklingContext<'session_invalid'>): Promise<void> {
  return transaction(async (tx) => {
    const ended = await endSessions(tx, context, { only: context.caller.sessionId }, 'session.ended')
    if (ended.length === 0) throw context.fail('session_invalid')
  })
}

/**
 * Ends all sessions of an account by a command of the host, takes back the approvals of devices that have not signed in, and removes the known
 * devices, as the owner can for all other sessions. Tells the owner. Returns the number of sessions and approvals.
 */
export function endSessionsByHost(context: DucklingContext): Promise<number> {
  const { caller, now } = context
  return transaction(async (tx) => {
    // A device that signs in now holds this lock. So its session is among those that end, or its approval is gone.
    await lockDuckling(tx, caller.id)
    const withdrawn = await withdrawApprovals(tx, context, caller.id)
    const ended = await endSessions(tx, context, 'all', 'session.revoked')
    await removeDevices(tx, sql`"ducklingId" = ${caller.id}`)
    if (ended.length + withdrawn > 0)
      enqueueNotice(tx, now, caller.id, 'sessions_ended_by_host', { at: now.toISOString() })
    return ended.length + withdrawn
  })
}
