import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { startSession } from '@/lib/domain/sessions/start'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { forget } from '@/lib/kernel/runtime/singleton'

async function anotherToken({ id }: ADuckling): Promise<string> {
  const { token } = await transaction((tx) =>
    startSession(tx, anonymously(), { id, trustTier: 'T1', distrustedKeys: 0 }, ['otp']),
  )
  return token
}

async function sessionIds(token: string): Promise<string[]> {
  const { body } = await call('GET /beak/session/list', { token })
  return body.items.map((item: { session_id: string }) => item.session_id)
}

const alive = async (token: string) => (await call('GET /beak/profile', { token })).status === 200

describe('200', () => {
  // security: session-1
  it('ends one session, whose token is rejected from the next request on', async () => {
    const duckling = await aDuckling()
    const stolen = await anotherToken(duckling)
    const [sessionId] = await sessionIds(stolen)
    const { body } = await call('POST /beak/session/revoke', {
      token: duckling.token,
      body: { session_id: sessionId },
    })
    expect(body).toEqual({ success: true, revoked: 1 })
    expect(await alive(stolen)).toBe(false)
    expect(await alive(duckling.token)).toBe(true)
    const events = await db().auditEvent.findMany({
      where: { ducklingId: duckling.id, action: 'session.revoked' },
    })
    expect(events).toMatchObject([{ outcome: 'success', targets: [{ type: 'session', id: sessionId }] }])
  })

  // security: check-26
  it('ends all other sessions and keeps the current one', async () => {
    const duckling = await aDuckling()
    const stranger = await aDuckling()
    const others = [await anotherToken(duckling), await anotherToken(duckling)]
    const revoke = { token: duckling.token, body: { all_others: true } }
    expect((await call('POST /beak/session/revoke', revoke)).body).toEqual({ success: true, revoked: 2 })
    expect(await Promise.all(others.map(alive))).toEqual([false, false])
    expect(await alive(duckling.token)).toBe(true)
    expect(await alive(stranger.token)).toBe(true)
    expect((await call('POST /beak/session/revoke', revoke)).body).toEqual({ success: true, revoked: 0 })
  })

  it('ends the current session when it is named', async () => {
    const { token } = await aDuckling()
    const [sessionId] = await sessionIds(token)
    expect((await call('POST /beak/session/revoke', { token, body: { session_id: sessionId } })).status).toBe(
      200,
    )
    expect(await alive(token)).toBe(false)
  })

  it('ends a session once for 50 simultaneous requests', async () => {
    const duckling = await aDuckling()
    const [sessionId] = await sessionIds(await anotherToken(duckling))
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        call('POST /beak/session/revoke', { token: duckling.token, body: { session_id: sessionId } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 404 && body.code === 'E4005')).toHaveLength(49)
  })
})

describe('400', () => {
  it.each([
    {},
    { session_id: 'SES-00000000000000000000000000', all_others: true },
    { all_others: false },
    { session_id: 'SES-short' },
    { session_id: 7 },
    { all_others: true, duckling_id: 'DUCK-00000000000000000000000000' },
  ])('rejects %j', async (body) => {
    const { token } = await aDuckling()
    const answer = await call('POST /beak/session/revoke', { token, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'E4000'])
  })
})

describe('GET /beak/session/list', () => {
  /** Starts `count` more sessions and returns their tokens, oldest first. */
  async function sessionsOf(id: string, count: number): Promise<string[]> {
    const tokens: string[] = []
    for (let index = 0; index < count; index++) {
      const started = await transaction((tx) =>
        startSession(
          tx,
          { ...anonymously(), userAgent: `device ${index}` },
          { id, trustTier: 'T1', distrustedKeys: 0 },
          ['otp'],
        ),
      )
      tokens.push(started.token)
    }
    return tokens
  }

  describe('200', () => {
    it('lists only the caller’s live sessions, newest first, and marks the current one', async () => {
      const { id, token } = await aDuckling()
      await aDuckling()
      const [phone = ''] = await sessionsOf(id, 2)
      const { status, body } = await call('GET /beak/session/list', { token: phone })
      expect(status).toBe(200)
      expect(body.next_cursor).toBeNull()
      expect(body.items.map((item: { user_agent: string }) => item.user_agent)).toEqual([
        'device 1',
        'device 0',
        'test',
      ])
      expect(body.items.map((item: { current: boolean }) => item.current)).toEqual([false, true, false])
      expect(Object.keys(body.items[0]).sort()).toEqual(
        [
          'amr',
          'auth_time',
          'created_at',
          'current',
          'expires_at',
          'ip',
          'last_seen_at',
          'name',
          'passkey_id',
          'session_id',
          'user_agent',
        ].sort(),
      )
      await call('POST /beak/signout', { token })
      expect((await call('GET /beak/session/list', { token: phone })).body.items).toHaveLength(2)
    })

    it('leaves out expired sessions', async () => {
      const { id, token } = await aDuckling()
      await sessionsOf(id, 1)
      const { body: before } = await call('GET /beak/session/list', { token })
      await db().session.update({
        where: { id: before.items[0].session_id },
        data: { expiresAt: new Date(before.items[0].created_at) },
      })
      const { body } = await call('GET /beak/session/list', { token })
      expect(body.items.map((item: { session_id: string }) => item.session_id)).toEqual([
        before.items[1].session_id,
      ])
    })

    it('returns every session once over several pages', async () => {
      const { id, token } = await aDuckling()
      await sessionsOf(id, 4)
      const seen: string[] = []
      let cursor = ''
      do {
        const { body } = await call(`GET /beak/session/list?limit=2${cursor}`, { token })
        seen.push(...body.items.map((item: { session_id: string }) => item.session_id))
        cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`
      } while (cursor !== '')
      expect(seen).toHaveLength(5)
      expect(seen).toEqual([...new Set(seen)].sort().reverse())
    })
  })

  describe('400', () => {
    it.each(['limit=0', 'limit=1.5', 'limit=0x10', 'limit=2&limit=3', 'cursor=nonsense', 'user=x'])(
      'rejects ?%s',
      async (query) => {
        const { token } = await aDuckling()
        const { status, body } = await call(`GET /beak/session/list?${query}`, { token })
        expect([status, body.code]).toEqual([400, 'E4000'])
      },
    )
  })
})

describe('POST /beak/signout', () => {
  describe('200', () => {
    it('ends the session of the token at once, and no other', async () => {
      const { id, email, token } = await aDuckling()
      const { body: other } = await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
      expect((await call('POST /beak/signout', { token })).body).toEqual({ success: true })
      expect((await call('GET /beak/profile', { token })).status).toBe(401)
      expect((await call('GET /beak/profile', { token: other.token })).status).toBe(200)
      const events = await db().auditEvent.findMany({ where: { ducklingId: id, action: 'session.ended' } })
      expect(events).toMatchObject([{ outcome: 'success', actorId: id }])
    })

    it('ends a session at T0', async () => {
      const { token } = await aDuckling({ tier: 'T0' })
      expect((await call('POST /beak/signout', { token })).status).toBe(200)
      expect((await call('GET /beak/profile', { token })).status).toBe(401)
    })

    // security: session-1, check-23
    it('ends the session on an instance that has not cached its token', async () => {
      const { token } = await aDuckling()
      await call('POST /beak/signout', { token })
      forget('sessions.checked')
      expect((await call('GET /beak/profile', { token })).status).toBe(401)
    })

    it('ends the session once for 50 simultaneous requests', async () => {
      const { token } = await aDuckling()
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => call('POST /beak/signout', { token })),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status, body }) => status === 401 && body.code === 'E4006')).toHaveLength(49)
    })
  })

  describe('400', () => {
    it('rejects any field in the body', async () => {
      const { token } = await aDuckling()
      const { status, body } = await call('POST /beak/signout', { token, body: { everywhere: true } })
      expect([status, body.errors[0].field]).toEqual([400, 'everywhere'])
    })
  })
})
