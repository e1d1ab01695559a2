import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { beforeCommit, insertAtEnd, onCommit } from '@/lib/db/transaction'
import { enqueueNotice } from '@/lib/infrastructure/events/outbox'
import { record } from '@/lib/infrastructure/events/record'
import { distrustedCount, reloadIfDistrusted, signingKey } from '@/lib/infrastructure/keys/signing-keys'
import { type Claims, numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { Caller, Context } from '@/lib/kernel/request/context'
import type { Tier } from '@/lib/kernel/request/tier'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { newId } from '@/lib/kernel/secrets/ids'
import { randomSecret, sha256 } from '@/lib/kernel/secrets/secrets'
import { cacheToken } from './authenticate'

const lifetimeSeconds = day

/**
 * How the caller authenticated. Values of RFC 8176 where they exist. RFC 8176 has no value for `device`, the approval on
 * another device, and for `link`, a link of the host (contract E, Sign-in links).
 */
export type Method = 'otp' | 'pwd' | 'pop' | 'user' | 'device' | 'link'

export interface StartedSession {
  session_id: string
  token: string
  expires_at: Date
  trust_tier: Tier
}

/** The account of a new session, as read in the transaction that starts it. */
export interface SessionOwner {
  id: string
  trustTier: Tier
  /** The number of distrusted keys: before authentication, this process may not have read yet that its key is distrusted. */
  distrustedKeys: number
  /** Whether the host has suspended the account. */
  isSuspended?: boolean
}

interface SessionOptions {
  /** No mail about a new device is sent: the account was just created, or the client sent the token of a known device. */
  isExpected?: boolean
  /** The passkey that signed in. */
  passkeyId?: string
  /** The id of the session, when the caller chose it before. */
  id?: string
  /** A device that a person approved on another device: the name that it gave itself, and when that person had signed in. */
  device?: { name: string; approverAuthTime: Date }
}

/** The columns of a `SessionOwner`, from "Duckling" d. */
export const ownerColumns = sql`d."id", d."trustTier", d."suspendedAt" IS NOT NULL AS "isSuspended", ${distrustedCount} AS "distrustedKeys"`

/** Signs in: starts a session as `startCheckedSession` does. Throws `account_suspended`. */
export async function startSession(
  tx: Tx,
  context: Context<Caller, 'account_suspended'>,
  owner: SessionOwner,
  amr: Method[],
  options?: SessionOptions,
): Promise<StartedSession> {
  if (owner.isSuspended) throw context.fail('account_suspended', {}, { ducklingId: owner.id })
  return startCheckedSession(tx, context, owner, amr, options)
}

/**
 * Starts a session at the end of the transaction and returns its token: a JWT that is valid for 24 hours and only while the session is
 * live. The caller has checked that the account is not suspended. The row has the digest of the token, so no other token is accepted for this session, even one that our key signed.
 */
export async function startCheckedSession(
  tx: Tx,
  context: Context,
  owner: SessionOwner,
  amr: Method[],
  { isExpected = false, id = newId('session', context.now), device, passkeyId }: SessionOptions = {},
): Promise<StartedSession> {
  const { now, ip, userAgent } = context
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  // Whole seconds, so that `expires_at` equals the token's `exp`.
  expiresAt.setUTCMilliseconds(0)
  await reloadIfDistrusted(owner.distrustedKeys, tx)
  const { kid } = signingKey(now)
  const authTime = device?.approverAuthTime ?? now
  const token = signToken('access', claimsOf(id, owner, amr, { authTime, expiresAt, now }), now)
  const tokenHash = sha256(token)
  if (!isExpected)
    noticeNewDevice(tx, context, owner.id, {
      session: id,
      ...(device === undefined ? {} : { name: device.name }),
    })
  const passkeyAt = amr.includes('pop') ? now : null
  insertAtEnd(
    tx,
    sql`
      INSERT INTO "Session" ("id", "ducklingId", "amr", "authTime", "passkeyAt", "passkeyId", "createdAt", "expiresAt", "ip", "userAgent", "name", "kid", "tokenHash")
      VALUES (${id}, ${owner.id}, ${amr}::text[], ${authTime}::timestamptz, ${passkeyAt}::timestamptz, ${passkeyId ?? null}, ${now}::timestamptz,
        ${expiresAt}::timestamptz, ${ip}, ${userAgent}, ${device?.name ?? null}, ${kid}, ${tokenHash})`,
  )
  rememberBrowser(tx, context, owner.id)
  onCommit(tx, () => cacheToken(tokenHash, { sessionId: id, exp: numericDate(expiresAt), kid }))
  record(tx, context, 'session.started', {
    concerning: [owner.id],
    actor: { type: 'duckling', id: owner.id },
    targets: [{ type: 'session', id }],
    metadata: device === undefined ? { amr } : { amr, device: device.name },
  })
  return { session_id: id, token, expires_at: expiresAt, trust_tier: owner.trustTier }
}

function claimsOf(
  sessionId: string,
  owner: SessionOwner,
  amr: Method[],
  { authTime, expiresAt, now }: { authTime: Date; expiresAt: Date; now: Date },
): Claims {
  return {
    aud: config().baseUrl,
    sub: owner.id,
    sid: sessionId,
    jti: randomSecret(10),
    iat: numericDate(now),
    exp: numericDate(expiresAt),
    auth_time: numericDate(authTime),
    amr,
    trust_tier: owner.trustTier,
  }
}

/** Enqueues a mail to the owner (security bar, check-13). A user agent proves nothing: a thief sends the user agent of the owner. */
function noticeNewDevice(
  tx: Tx,
  { now, userAgent }: Context,
  ducklingId: string,
  about: { session: string; name?: string },
): void {
  const facts = { device: userAgent ?? '', at: now.toISOString(), ...about }
  enqueueNotice(tx, now, ducklingId, 'new_device', facts)
}

/**
 * Records the time zone and the language of the browser of the first visit, for mails. Later sign-ins do not change them: another person may sign
 * in, and the owner may travel.
 */
function rememberBrowser(tx: Tx, { readBrowser }: Context, ducklingId: string): void {
  const browser = readBrowser?.()
  if (browser === undefined) return
  beforeCommit(
    tx,
    sql`
      UPDATE "Duckling" SET "browserTimeZone" = COALESCE("browserTimeZone", ${browser.timeZone}),
        "browserLanguage" = COALESCE("browserLanguage", ${browser.language})
      WHERE "id" = ${ducklingId} AND ("browserTimeZone" IS NULL OR "browserLanguage" IS NULL)`,
  )
}
