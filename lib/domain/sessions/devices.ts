/**
 * Known devices: a sign-in returns a device token, and a client that sends it with later tries has its codes and tries counted
 * separately. So wrong codes that strangers enter cannot lock it out (contract F, Wrong codes).
 */
import { z } from 'zod'
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd } from '@/lib/db/transaction'
import { countToday } from '@/lib/infrastructure/events/handover'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { mintToken, readToken } from '@/lib/kernel/secrets/secret-token'
import { equalDigests } from '@/lib/kernel/secrets/secrets'
import type { StartedSession } from './start'

const lifetimeSeconds = 180 * day
/** The most known devices of one account. */
const devicesMax = 20
/**
 * Daily limits for all devices of an account together. Above a limit, a device counts as a stranger. Otherwise somebody who knows the
 * password could get unlimited tries and mails, with a new device for each sign-in.
 */
const dailyMax = { device_tries: 200, device_codes: 60 }

/** The field of a request. A token that is not valid for the account is ignored, so only its length is checked. */
export const DeviceToken = z.string().max(200).meta({
  description: 'The `device_token` of an earlier sign-in. Ignored when it is not valid for the account.',
})

export interface KnownDevice {
  id: string
  ducklingId: string
  /** The device token that the client sent. */
  token: string
  /** Whether the address of the account was ever verified. */
  isProven: boolean
}

export type DeviceSession = StartedSession & { device_token: string }

/**
 * Returns the known device of a token, or null when the token is missing, malformed, wrong, expired or of another account.
 * Looks up the device first and then compares its account, so the response time does not show whether another address exists.
 */
export async function findDevice(
  tx: Tx,
  text: string | undefined,
  account: { email: string } | { id: string },
  now: Date,
): Promise<KnownDevice | null> {
  const token = text === undefined ? null : readToken(text)
  if (text === undefined || token === null) return null
  const isAccount = 'email' in account ? sql`d."email" = ${account.email}` : sql`d."id" = ${account.id}`
  const [row] = await tx.rows<Omit<KnownDevice, 'token'> & { secretHash: Uint8Array }>`
    SELECT t."id", t."ducklingId", t."secretHash", d."emailVerifiedAt" IS NOT NULL AS "isProven"
    FROM "DeviceToken" t JOIN "Duckling" d ON d."id" = t."ducklingId"
    WHERE t."id" = ${token.id} AND t."expiresAt" > ${now}::timestamptz AND d."deletedAt" IS NULL AND ${isAccount}`
  if (row === undefined || !equalDigests(row.secretHash, token.secretHash)) return null
  return { id: row.id, ducklingId: row.ducklingId, token: text, isProven: row.isProven }
}

/** Counts one use of a device. Returns the device, or null when the account has reached its daily limit. */
export async function countDeviceUse(
  tx: Tx,
  device: KnownDevice | null,
  name: keyof typeof dailyMax,
  now: Date,
): Promise<KnownDevice | null> {
  if (device === null) return null
  return (await countToday(tx, name, device.ducklingId, dailyMax[name], now)) ? device : null
}

/**
 * Stores the client of a new session as a known device for 180 days: the given device, or a new one. Returns the session with the
 * device token. Above 20 devices, the device with the oldest sign-in is removed.
 */
export async function storeDevice(
  tx: Tx,
  now: Date,
  ducklingId: string,
  session: StartedSession,
  device: KnownDevice | null,
): Promise<DeviceSession> {
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  if (device !== null) {
    const renewed = await tx.run`
      UPDATE "DeviceToken" SET "sessionId" = ${session.session_id}, "expiresAt" = ${expiresAt}::timestamptz
      WHERE "id" = ${device.id} AND "ducklingId" = ${ducklingId}`
    if (renewed === 1) return { ...session, device_token: device.token }
  }
  const { id, token, secretHash } = mintToken('device', now)
  insertAtEnd(
    tx,
    sql`
      INSERT INTO "DeviceToken" ("id", "ducklingId", "secretHash", "sessionId", "createdAt", "expiresAt")
      VALUES (${id}, ${ducklingId}, ${secretHash}, ${session.session_id}, ${now}::timestamptz, ${expiresAt}::timestamptz)`,
  )
  // Sign-ins of one account cannot run this at the same time: the event of each new session has locked the account's audit chain.
  const surplus = sql`"id" IN (
    SELECT "id" FROM "DeviceToken" WHERE "ducklingId" = ${ducklingId} ORDER BY "expiresAt" DESC, "id" DESC OFFSET ${devicesMax})`
  beforeCommit(tx, removal(surplus))
  return { ...session, device_token: token }
}

/** Returns the ids of the known devices of an account. */
export async function deviceIds(tx: Tx, ducklingId: string): Promise<string[]> {
  const rows = await tx.rows<{
    id: string
  }>`SELECT "id" FROM "DeviceToken" WHERE "ducklingId" = ${ducklingId}`
  return rows.map(({ id }) => id)
}

/** Removes the known devices that `condition` selects and the counts of their tries. Returns the ids. */
export async function removeDevices(tx: Tx, condition: Sql): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>`${removal(condition)}`
  return rows.map(({ id }) => id)
}

function removal(condition: Sql): Sql {
  return sql`
    WITH removed AS (
      DELETE FROM "DeviceToken" WHERE ${condition} RETURNING "id"
    ), uncounted AS (
      DELETE FROM "OtpGuard" WHERE "subject" IN (SELECT "id" FROM removed)
    )
    SELECT "id" FROM removed`
}
