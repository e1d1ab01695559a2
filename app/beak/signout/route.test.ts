import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { forget } from '@/lib/kernel/singleton'

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

  it('ends the session on an instance that has not cached its token', async () => {
    const { token } = await aDuckling()
    await call('POST /beak/signout', { token })
    forget('sessions.checked')
    expect((await call('GET /beak/profile', { token })).status).toBe(401)
  })

  it('ends the session once for 50 simultaneous requests', async () => {
    const { token } = await aDuckling()
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST /beak/signout', { token })))
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

describe('401', () => {
  it.each([
    ['no token', {}],
    ['only a cookie', { headers: { Cookie: 'beak-session=eyJhbGciOiJFZERTQSJ9.e30.AAAA' } }],
    ['an invalid token', { token: 'eyJhbGciOiJub25lIn0.e30.' }],
  ])('rejects %s', async (_, options) => {
    const { status, body, headers } = await call('POST /beak/signout', options)
    expect([status, body.code]).toEqual([401, 'E4006'])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
  })
})
