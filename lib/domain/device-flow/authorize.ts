/**
 * User codes (RFC 8628, section 6.1): eight consonants in two groups, `WDJB-MJHT`. Without vowels no words occur, and without digits no
 * two characters look alike. 20^8 codes, and few tries: see `find-waiting.ts`. A code is short, so only its keyed hash is stored.
 */

import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { lockDuckling } from '@/lib/domain/sessions/proof'
import {
  ownerColumns,
  type SessionOwner,
  type StartedSession,
  startCheckedSession,
} from '@/lib/domain/sessions/start'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import type { Failure } from '@/lib/kernel/request/failures'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { mintToken, readToken } from '@/lib/kernel/secrets/secret-token'
import { equalDigests, keyedHash, previousKeyedHash } from '@/lib/kernel/secrets/secrets'
import { asciiWidth, withoutSeparators } from '@/lib/kernel/typed/digits'

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'

/** Returns a new code, without the hyphen. */
function makeUserCode(): string {
  return Array.from({ length: 8 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

/** Returns a code as people read it, with a hyphen in the middle. */
export function showUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** The field of a request: people type lower case, blanks, other dashes, full-width letters, or no hyphen. Becomes eight capital letters. */
export const userCode = z
  .string()
  .max(40, { error: m.field_device_code_format, abort: true })
  .overwrite((typed) => withoutSeparators(asciiWidth(typed)).toUpperCase())
  .regex(new RegExp(`^[${alphabet}]{8}$`), { error: m.field_device_code_format })
  .meta({ pattern: undefined, examples: ['WDJB-MJHT'] })

/** Returns the hash to store. */
function hashUserCode(code: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(keyedHash('user_code', code))
}

/** Returns the hashes to look up: also the one with the previous secret, while the secret is rotated. */
export function userCodeHashes(code: string): Uint8Array[] {
  const previous = previousKeyedHash('user_code', code)
  return previous === null ? [hashUserCode(code)] : [hashUserCode(code), previous]
}

/**
 * Sign-in of a device without a browser, such as a command line (RFC 8628). The device shows a user code. A person enters it on a page
 * after a fresh sign-in, sees which device asks, and approves or denies. The device polls until then, and gets an ordinary session.
 */

const lifetimeSeconds = 10 * minute
/** Seconds between two polls, as RFC 8628 suggests (section 3.2). */
const intervalSeconds = 5

/** Starts the sign-in of a device and returns its codes, which are shown only once. */
export async function authorizeDevice({ now, ip, userAgent }: AnonymousContext, clientName: string) {
  const { id, token, secretHash } = mintToken('device_request', now)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  let code: string
  let stored: number
  do {
    code = makeUserCode()
    // Two live requests never have the same user code: a new code is drawn instead.
    stored = await db().run`
      INSERT INTO "DeviceRequest"
        ("id", "secretHash", "userCodeHash", "clientName", "ip", "userAgent", "intervalSeconds", "createdAt", "expiresAt")
      VALUES (${id}, ${secretHash}, ${hashUserCode(code)}, ${clientName}, ${ip}, ${userAgent}, ${intervalSeconds}::int,
        ${now}::timestamptz, ${expiresAt}::timestamptz)
      ON CONFLICT ("userCodeHash") DO NOTHING`
  } while (stored === 0)
  const page = `${config().baseUrl}/device`
  const shown = showUserCode(code)
  return {
    device_code: token,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${shown}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
  }
}

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
