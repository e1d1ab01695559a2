import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'

describe('400', () => {
  it.each(['', '?id=short', `?id=${'A'.repeat(27)}`])('rejects the query %j', async (query) => {
    expect((await call(`GET /beak/peck/shared${query}`)).status).toBe(400)
  })
})

describe('404', () => {
  it('returns 404 for an unknown link', async () => {
    expect((await call(`GET /beak/peck/shared?id=${'A'.repeat(26)}`)).body).toMatchObject({
      status: 404,
      code: 'E4005',
    })
  })
})
