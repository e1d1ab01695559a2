/**
 * Known devices: a sign-in returns a device token, and a client that sends it with later tries has its codes and tries counted
 * separately. So wrong codes that strangers enter cannot lock it out (contract F, Wrong codes).
 */
import { z } from 'zod'
import type { Prisma, Tx } from '@/lib/db/client'
import { countToday } from '@/lib/infrastructure/events/daily-count'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { mintToken, readToken } from '@/lib/kernel/secret-token'
import { equalDigests } from '@/lib/kernel/secrets'
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
  const row = await tx.deviceToken.findFirst({
    where: { id: token.id, expiresAt: { gt: now }, duckling: { ...account, deletedAt: null } },
    select: { id: true, ducklingId: true, secretHash: true, duckling: { select: { emailVerifiedAt: true } } },
  })
  if (row === null || !equalDigests(row.secretHash, token.secretHash)) return null
  return {
    id: row.id,
    ducklingId: row.ducklingId,
    token: text,
    isProven: row.duckling.emailVerifiedAt !== null,
  }
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
 * device token. Spec silent: above 20 devices, the device with the oldest sign-in is removed.
 */
export async function storeDevice(
  tx: Tx,
  now: Date,
  ducklingId: string,
  session: StartedSession,
  device: KnownDevice | null,
): Promise<DeviceSession> {
  const renewed = { sessionId: session.session_id, expiresAt: secondsAfter(now, lifetimeSeconds) }
  if (device !== null) {
    const { count } = await tx.deviceToken.updateMany({ where: { id: device.id, ducklingId }, data: renewed })
    if (count === 1) return { ...session, device_token: device.token }
  }
  const { id, token, secretHash } = mintToken('device', now)
  await tx.deviceToken.create({ data: { id, ducklingId, secretHash, createdAt: now, ...renewed } })
  // Sign-ins of one account cannot run this at the same time: each has locked the account's audit chain.
  const surplus = await tx.deviceToken.findMany({
    where: { ducklingId },
    orderBy: [{ expiresAt: 'desc' }, { id: 'desc' }],
    skip: devicesMax,
    select: { id: true },
  })
  if (surplus.length > 0) await removeDevices(tx, { id: { in: surplus.map((row) => row.id) } })
  return { ...session, device_token: token }
}

/** Returns the ids of the known devices that match. */
export async function deviceIds(tx: Tx, where: Prisma.DeviceTokenWhereInput): Promise<string[]> {
  return (await tx.deviceToken.findMany({ where, select: { id: true } })).map(({ id }) => id)
}

/** Removes known devices and the counts of their tries. */
export async function removeDevices(tx: Tx, where: Prisma.DeviceTokenWhereInput): Promise<void> {
  const ids = await deviceIds(tx, where)
  if (ids.length === 0) return
  await tx.deviceToken.deleteMany({ where: { id: { in: ids } } })
  await tx.otpGuard.deleteMany({ where: { subject: { in: ids } } })
}
