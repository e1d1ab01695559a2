import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'

describe('200', () => {
  it('returns only public keys, with their RFC 7638 thumbprints as ids', async () => {
    const { status, body, headers } = await call('GET /.well-known/jwks.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body.keys.length).toBeGreaterThan(0)
    expect(Object.keys(body)).toEqual(['keys', 'distrusted'])
    for (const key of body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
      const thumbprint = `{"crv":"Ed25519","kty":"OKP","x":"${key.x}"}`
      expect(key.kid).toBe(createHash('sha256').update(thumbprint).digest('base64url'))
    }
  })
})
