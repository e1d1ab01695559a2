import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { startSession } from '@/lib/domain/sessions/start'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'

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

describe('404', () => {
  it('returns the same for another owner’s session and an unknown one, and records the attempt', async () => {
    const duckling = await aDuckling()
    const victim = await aDuckling()
    const [theirs] = await sessionIds(victim.token)
    const answers = await Promise.all(
      [theirs, 'SES-00000000000000000000000000'].map((session_id) =>
        call('POST /beak/session/revoke', { token: duckling.token, body: { session_id } }),
      ),
    )
    const [known, unknown] = answers.map(({ status, body }) => ({ status, ...body, request_id: '' }))
    expect(known).toEqual(unknown)
    expect(known).toMatchObject({ status: 404, code: 'E4005' })
    expect(await alive(victim.token)).toBe(true)
    const denied = { ducklingId: duckling.id, action: 'session.revoked', outcome: 'denied' }
    expect(await db().auditEvent.count({ where: denied })).toBe(2)
  })
})
