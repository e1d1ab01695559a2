import type { Tx } from '@/lib/db/client'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record } from '@/lib/infrastructure/events/record'
import { refreshKeys } from '@/lib/infrastructure/keys/signing-keys'
import { type Claims, kidOf, numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { day, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import type { Context, Tier } from '@/lib/kernel/context'
import { newId } from '@/lib/kernel/ids'
import { randomSecret, sha256 } from '@/lib/kernel/secrets'

const lifetimeSeconds = day

/** How the caller authenticated. Values of RFC 8176 where they exist. */
export type Method = 'otp' | 'pwd' | 'pop' | 'user'

export interface StartedSession {
  session_id: string
  token: string
  expires_at: Date
  trust_tier: Tier
}

/**
 * Starts a session and returns its token: a JWT that is valid for 24 hours and only while the session is live (contract A). The row
 * has the digest of the token, so no other token is accepted for this session, even one that our key signed.
 * With `isNew`, for an account that was just created, no mail about a new device is sent. `id` is the session's id, when the caller
 * chose it before.
 */
export async function startSession(
  tx: Tx,
  context: Context,
  duckling: { id: string; trustTier: Tier },
  amr: Method[],
  options: { isNew?: boolean; id?: string } = {},
): Promise<StartedSession> {
  const { now, ip, userAgent } = context
  const sessionId = options.id ?? newId('session', now)
  const expiresAt = secondsAfter(now, lifetimeSeconds)
  // Whole seconds, so that `expires_at` equals the token's `exp`.
  expiresAt.setUTCMilliseconds(0)
  if (!options.isNew) await noticeNewDevice(tx, context, duckling.id)
  // Without authentication, this process may not have read yet that a key is distrusted.
  await refreshKeys(tx)
  const token = signToken('access', claimsOf(sessionId, duckling, amr, expiresAt, now), now)
  await tx.session.create({
    data: {
      id: sessionId,
      ducklingId: duckling.id,
      amr,
      authTime: now,
      passkeyAt: amr.includes('pop') ? now : null,
      createdAt: now,
      expiresAt,
      ip,
      userAgent,
      kid: kidOf(token),
      tokenHash: new Uint8Array(sha256(token)),
    },
  })
  record(tx, context, 'session.started', {
    concerning: [duckling.id],
    actor: { type: 'duckling', id: duckling.id },
    targets: [{ type: 'session', id: sessionId }],
    metadata: { amr },
  })
  return { session_id: sessionId, token, expires_at: expiresAt, trust_tier: duckling.trustTier }
}

function claimsOf(
  sessionId: string,
  duckling: { id: string; trustTier: Tier },
  amr: Method[],
  expiresAt: Date,
  now: Date,
): Claims {
  return {
    aud: config().baseUrl,
    sub: duckling.id,
    sid: sessionId,
    jti: randomSecret(10),
    iat: numericDate(now),
    exp: numericDate(expiresAt),
    auth_time: numericDate(now),
    amr,
    trust_tier: duckling.trustTier,
  }
}

/** Enqueues a mail to the owner when no earlier session has the same user agent (security bar, item 13). */
async function noticeNewDevice(tx: Tx, context: Context, ducklingId: string): Promise<void> {
  const { now, userAgent } = context
  const known = await tx.session.findFirst({ where: { ducklingId, userAgent }, select: { id: true } })
  if (known) return
  enqueueNotice(tx, now, ducklingId, 'new_device', { device: userAgent ?? '', at: now.toISOString() })
}
