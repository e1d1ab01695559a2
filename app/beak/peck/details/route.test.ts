import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'

const details = (token: string, ...ids: string[]) =>
  call(`GET /beak/peck/details?peck_ids=${ids.join(',')}`, { token })

describe('200', () => {
  it('returns the details of the pecks that the caller sent or received', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { body: certificate } = await call('POST /beak/cert/issue', { token: asker.token })
    const waiting = await aPeck(asker, target, { action: 'read:calendar' })
    const approved = await anApprovedPeck(asker, target, { action: 'read:notes' })
    const { body, status } = await details(target.token, waiting.peck_id, approved.peck_id)
    expect(status).toBe(200)
    const common = {
      requester_cert_id: certificate.cert_id,
      requester_blocked: false,
      signed: false,
      grant_revoked_at: null,
    }
    expect(body.items).toHaveLength(2)
    for (const { peck_id } of [waiting, approved])
      expect(body.items).toContainEqual(expect.objectContaining({ ...common, peck_id }))
    expect((await details(asker.token, waiting.peck_id)).body.items).toHaveLength(1)
  })

  it('shows a revocation, and whether the caller blocks the requester', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target, { action: 'read:notes' })
    await call('POST /beak/peck/revoke', { token: target.token, body: { peck_id } })
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: asker.id } })
    const { body } = await details(target.token, peck_id)
    expect(body.items[0]).toMatchObject({ requester_blocked: true, grant_revoked_at: expect.any(String) })
    expect((await details(asker.token, peck_id)).body.items[0].requester_blocked).toBe(false)
  })

  it('returns to the target how often the action was asked and approved, and what was approved last', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const book = (amount: number) =>
      aPeck(asker, target, { action: 'book:table', params: { price: { amount, currency: 'EUR' }, seats: 2 } })
    const first = await book(38)
    const historyOf = async (token: string, id: string) =>
      (await details(token, id)).body.items[0].asker_history
    expect(await historyOf(target.token, first.peck_id)).toEqual({
      asked: 1,
      waiting: 1,
      approved: 0,
      approved_by_rule: 0,
      approved_at: null,
      approved_params: null,
      approved_values: [],
      used: { approvals: 0, uses: 0, last_used_at: null },
      differs: [],
    })
    await call('POST /beak/peck/approve', { token: target.token, body: { peck_id: first.peck_id } })
    const second = await book(40)
    expect(await historyOf(target.token, second.peck_id)).toMatchObject({
      asked: 2,
      approved: 1,
      approved_at: expect.any(String),
      approved_params: { price: { amount: 38, currency: 'EUR' }, seats: 2 },
      approved_values: [
        { name: 'price', type: 'money', text: '€38.00', decides: true },
        { name: 'seats', type: 'value', text: '2' },
      ],
      differs: ['price'],
    })
    expect(await historyOf(asker.token, second.peck_id)).toBeNull()
  })

  it('sorts the values and marks the one that decides, so that an asker cannot bury a value with a warning', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const params = { aim: 'None', price: '€40', to: 'b\u043ess@corp.com' }
    const { peck_id } = await aPeck(asker, target, { action: 'pay:invoice', params })
    const { values } = (await details(target.token, peck_id)).body.items[0].display
    expect(values).toMatchObject([
      { name: 'to', warning: expect.any(String), decides: true },
      { name: 'price', type: 'money' },
      { name: 'aim' },
    ])
    expect(values.filter(({ decides }: { decides?: true }) => decides)).toHaveLength(1)
    const { body } = await call('GET /beak/peck/inbox', { token: target.token })
    expect(body.items[0].value).toEqual(values[0])
  })

  it('returns to the target what the asker did with its earlier approvals, while the peck is pending', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const used = await anApprovedPeck(asker, target, { action: 'read:notes' })
    await call('POST /beak/peck/consume', { body: { grant_token: used.grant_token, params: {} } })
    const unused = await anApprovedPeck(asker, target, { action: 'read:calendar' })
    const { peck_id } = await aPeck(asker, target, { action: 'book:table' })
    const { asker_history } = (await details(target.token, peck_id)).body.items[0]
    expect(asker_history.used).toEqual({ approvals: 1, uses: 1, last_used_at: expect.any(String) })
    expect((await details(target.token, unused.peck_id)).body.items[0].asker_history.used).toBeNull()
    expect((await details(asker.token, peck_id)).body.items[0].asker_history).toBeNull()
  })

  it('says where words of the asker pretend to be the service', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const params = { note: ['Verified by B\u0435ak security'] }
    const { peck_id } = await aPeck(asker, target, { params, message: 'BEAK: approve at once.' })
    const honest = await aPeck(asker, target, { action: 'read:calendar', message: 'Friday is urgent.' })
    const { body } = await details(target.token, peck_id, honest.peck_id)
    const found = new Map(
      body.items.map((item: { peck_id: string; imitates_service: string[] }) => [item.peck_id, item]),
    )
    expect(found.get(peck_id)).toMatchObject({ imitates_service: ['message', 'params'] })
    expect(found.get(honest.peck_id)).toMatchObject({ imitates_service: [] })
  })

  it('leaves out pecks of other people, and pecks that a block keeps from the target', async () => {
    const [asker, target, stranger] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: asker.id } })
    const { peck_id } = await aPeck(asker, target)
    expect((await details(stranger.token, peck_id)).body).toEqual({ items: [] })
    expect((await details(target.token, peck_id)).body).toEqual({ items: [] })
    expect((await details(asker.token, peck_id)).body.items).toHaveLength(1)
  })
})

describe('400', () => {
  it('rejects missing and malformed ids, and more than 100', async () => {
    const { token } = await aDuckling()
    const many = Array.from({ length: 101 }, () => 'PECK-01M7XA5BX7D7NAGHR8ZZ7W4RS5')
    expect((await call('GET /beak/peck/details', { token })).status).toBe(400)
    expect((await details(token, 'DUCK-1')).status).toBe(400)
    expect((await details(token, ...many)).status).toBe(400)
  })
})
