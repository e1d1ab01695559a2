import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'

describe('200', () => {
  it("lists only the caller's passkeys in pages, newest first, with their last use", async () => {
    const duckling = await aDuckling()
    const first = await aPasskey(duckling)
    await confirmWithPasskey(duckling, first.authenticator)
    const second = await aPasskey(duckling)
    await aPasskey(await aDuckling())
    const { body: options } = await call('POST /beak/passkey/login/options')
    await call('POST /beak/passkey/login', { body: { credential: first.authenticator.get(options) } })

    const page = (query: string) => call(`GET /beak/passkey/list?limit=1${query}`, { token: duckling.token })
    const { body: newer } = await page('')
    expect(newer.items.map((item: { passkey_id: string }) => item.passkey_id)).toEqual([second.id])
    const { body: older } = await page(`&cursor=${newer.next_cursor}`)
    expect(older).toEqual({
      items: [expect.objectContaining({ passkey_id: first.id, last_used_at: expect.stringMatching(/Z$/) })],
      next_cursor: null,
      recovery: null,
    })
    expect(newer.items[0].last_used_at).toBeNull()
  })

  it('says which passkeys an older one vouches for', async () => {
    const duckling = await aDuckling()
    const older = await aPasskey(duckling, { name: 'Older' })
    await confirmWithPasskey(duckling, older.authenticator)
    const newer = await aPasskey(duckling, { name: 'Newer' })
    const { token } = duckling
    const endorsed = async () => {
      const { body } = await call('GET /beak/passkey/list', { token })
      return body.items.map((item: { name: string; endorsed: boolean }) => [item.name, item.endorsed])
    }
    expect(await endorsed()).toEqual([
      ['Newer', false],
      ['Older', false],
    ])
    const request = { purpose: 'endorse', passkey_id: newer.id }
    const { body: options } = await call('POST /beak/passkey/challenge', { token, body: request })
    const passkey = older.authenticator.get(options)
    const { status } = await call('POST /beak/passkey/endorse', {
      token,
      body: { passkey_id: newer.id, passkey },
    })
    expect(status).toBe(200)
    expect(await endorsed()).toEqual([
      ['Newer', true],
      ['Older', false],
    ])
  })
})
