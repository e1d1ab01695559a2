import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'

describe('200', () => {
  it('signs the newest event of the log', async () => {
    const { id, token } = await aDuckling()
    const { status, body } = await call('GET /beak/audit/head', { token })
    expect(status).toBe(200)
    const newest = (await call('GET /beak/audit?limit=1', { token })).body.items[0]
    expect(body).toEqual({
      duckling_id: id,
      seq: newest.seq,
      hash: newest.hash,
      signed_at: expect.stringMatching(/\.000Z$/),
      head: expect.any(String),
    })
    const { body: jwks } = await call('GET /.well-known/jwks.json')
    const { payload } = await jwtVerify(body.head, createLocalJWKSet(jwks), { typ: 'audit-head+jwt' })
    expect(payload).toEqual({
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000',
      sub: id,
      seq: newest.seq,
      hash: newest.hash,
      iat: Date.parse(body.signed_at) / 1000,
    })
  })

  it('changes with the next event', async () => {
    const { token } = await aDuckling()
    const before = await call('GET /beak/audit/head', { token })
    await call('POST /beak/cert/issue', { token })
    const after = await call('GET /beak/audit/head', { token })
    expect(after.body.seq).toBe(before.body.seq + 1)
  })

  it('is not accepted as a session token', async () => {
    const { token } = await aDuckling()
    const { body } = await call('GET /beak/audit/head', { token })
    expect((await call('GET /beak/profile', { token: body.head })).status).toBe(401)
  })
})
