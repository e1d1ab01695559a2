import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'

/** Issues and revokes as many certificates as asked for, and returns their ids, newest first. */
async function certificatesOf(token: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const { body } = await call('POST /beak/cert/issue', { token })
    ids.unshift(body.cert_id)
    await call('POST /beak/cert/revoke', { token, body: { reason: `Reason ${index}` } })
  }
  return ids
}

const idsIn = (body: { items: { cert_id: string }[] }) => body.items.map(({ cert_id }) => cert_id)

describe('200', () => {
  it('lists the certificates of the caller and no others, newest first, page by page', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const ids = await certificatesOf(owner.token, 3)
    await certificatesOf(other.token, 1)
    const { status, body } = await call('GET /beak/cert/list?limit=2', { token: owner.token })
    expect(status).toBe(200)
    expect(idsIn(body)).toEqual(ids.slice(0, 2))
    expect(body.items[0]).toMatchObject({ status: 'revoked', revocation_reason: 'Reason 2' })
    const next = await call(`GET /beak/cert/list?limit=2&cursor=${body.next_cursor}`, { token: owner.token })
    expect(idsIn(next.body)).toEqual(ids.slice(2))
    expect(next.body.next_cursor).toBeNull()
  })

  it('returns an empty list to an owner without certificates', async () => {
    const { token } = await aDuckling()
    expect((await call('GET /beak/cert/list', { token })).body).toEqual({ items: [], next_cursor: null })
  })
})
