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
})
