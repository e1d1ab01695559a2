import { describe, expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { aDuckling, anonymously } from '@/lib/factories/ducklings'
import { kidOf, numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { newId } from '@/lib/kernel/secrets/ids'
import { sha256 } from '@/lib/kernel/secrets/secrets'
import { authenticateSession, lastSeen, recordSeen, writeSeen } from './authenticate'
import { startSession } from './start'

async function started() {
  const duckling = await aDuckling()
  const context = anonymously()
  const session = await transaction((tx) =>
    startSession(tx, context, { id: duckling.id, trustTier: 'T1', distrustedKeys: 0 }, ['otp']),
  )
  return { ...duckling, ...session, now: context.now }
}

/** Returns the claims of a token without verifying it. */
function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
}

describe('a session token', () => {
  it('has the session, the authentication methods and the same expiry as the answer', async () => {
    const { id, token, now, expires_at } = await started()
    const claims = claimsOf(token)
    expect(Object.keys(claims).sort()).toEqual(
      ['amr', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'trust_tier'].sort(),
    )
    expect(claims).toMatchObject({ sub: id, iss: config().baseUrl, aud: config().baseUrl, amr: ['otp'] })
    expect(claims.exp).toBe(expires_at.getTime() / 1000)
    expect(Number(claims.exp) - numericDate(now)).toBe(day)
  })

  it('is different at each sign-in', async () => {
    const { token } = await started()
    const { token: second } = await started()
    for (const claim of ['sid', 'jti']) expect(claimsOf(token)[claim]).not.toBe(claimsOf(second)[claim])
  })

  // security: check-25
  it('expires after 24 hours, whether or not its signature is cached', async () => {
    for (const seen of [true, false]) {
      const { id, token, expires_at } = await started()
      const last = new Date(expires_at.getTime() - 1)
      if (seen) expect((await authenticateSession(token, last))?.caller.id).toBe(id)
      expect(await authenticateSession(token, expires_at)).toBeNull()
      expect(await authenticateSession(token, secondsAfter(expires_at, 1))).toBeNull()
    }
  })

  it('is rejected once its session has ended, even when its signature is cached', async () => {
    const { token, now } = await started()
    expect(await authenticateSession(token, now)).not.toBeNull()
    const id = String(claimsOf(token).sid)
    await db().session.update({ where: { id }, data: { revokedAt: now } })
    expect(await authenticateSession(token, now)).toBeNull()
    forget('sessions.checked')
    expect(await authenticateSession(token, now)).toBeNull()
  })

  // security: session-18, check-36
  it('gets its tier from the database, not from its claims', async () => {
    const { id, token, now } = await started()
    await db().duckling.update({ where: { id }, data: { trustTier: 'T0', listed: false } })
    expect((await authenticateSession(token, now))?.caller.tier).toBe('T0')
  })

  it('is stored as SHA-256 with the id of its key, and no other token is accepted for the session', async () => {
    const { token, now } = await started()
    const { iss: _, ...claims } = claimsOf(token)
    const row = await db().session.findUniqueOrThrow({ where: { id: String(claims.sid) } })
    expect(row.kid).toBe(kidOf(token))
    expect(Buffer.from(row.tokenHash ?? []).equals(sha256(token))).toBe(true)
    const other = signToken('access', { ...claims, jti: 'another' })
    expect(await authenticateSession(other, now)).toBeNull()
    expect(await authenticateSession(token, now)).not.toBeNull()
  })

  it('needs all claims, the right type and audience, even when its digest is not stored', async () => {
    const { token, now } = await started()
    const { iss: _, ...claims } = claimsOf(token)
    await db().session.update({ where: { id: String(claims.sid) }, data: { kid: null, tokenHash: null } })
    const { sid: __, ...anonymous } = claims
    const forged = [
      signToken('access', anonymous),
      signToken('access', { ...claims, exp: undefined }),
      signToken('access', { ...claims, sid: 7 }),
      signToken('access', { ...claims, sid: 'SES-00000000000000000000000000' }),
      signToken('access', { ...claims, aud: 'other.example' }),
      signToken('grant', claims),
      signToken('agent', claims),
    ]
    for (const one of forged) expect(await authenticateSession(one, now)).toBeNull()
    const other = { ...claims, jti: 'another' }
    expect(await authenticateSession(signToken('access', other), now)).not.toBeNull()
  })
})

const start = new Date('2026-11-27T12:00:00.000Z')
const after = (seconds: number) => secondsAfter(start, seconds)

it('the last use of a session is written at once, and later ones once a minute', async () => {
  const { sessionId } = (await (await aDuckling()).context()).caller
  const stored = async () => (await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt
  recordSeen('session', sessionId, start)
  await writeSeen(after(3))
  expect(await stored()).toEqual(start)
  recordSeen('session', sessionId, after(10))
  await writeSeen(after(59))
  expect([await stored(), lastSeen('session', sessionId, start)]).toEqual([start, after(10)])
  await writeSeen(after(60))
  expect(await stored()).toEqual(after(10))
})

it('a use leaves the memory when it is written and none followed for a minute', async () => {
  const id = newId('session', start)
  recordSeen('session', id, start)
  await writeSeen(start)
  await writeSeen(after(59))
  expect(lastSeen('session', id, null)).toEqual(start)
  await writeSeen(after(60))
  expect(lastSeen('session', id, null)).toBeNull()
})

it('a use does not replace a later one that another instance has stored', async () => {
  const { sessionId } = (await (await aDuckling()).context()).caller
  await db().session.update({ where: { id: sessionId }, data: { lastSeenAt: after(50) } })
  recordSeen('session', sessionId, after(10))
  await writeSeen(after(60))
  expect((await db().session.findUniqueOrThrow({ where: { id: sessionId } })).lastSeenAt).toEqual(after(50))
})
