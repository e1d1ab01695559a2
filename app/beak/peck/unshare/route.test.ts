import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'

// The behaviour is tested with POST /beak/peck/share.
describe('401', () => {
  it('needs a session', async () => {
    expect((await call('POST /beak/peck/unshare', { body: {} })).status).toBe(401)
  })
})
