/** Requests that are as before: what the inbox and the details say of them, and what is approved together. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type Asker, aPeck } from '@/lib/factories/pecks'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let owner: ADuckling
let scout: Asker
beforeEach(async () => {
  owner = await aDuckling()
  scout = await anAgent(owner, { name: 'Scout' })
})

const action = 'book:table'
const at = (price: number, place = 'Osteria', currency = 'EUR') => ({
  place,
  price: { amount: price, currency },
})
const post = (line: 'approve' | 'revoke' | 'decide' | 'undo', body: object) =>
  call(`POST /beak/peck/${line}`, { token: owner.token, body } as Parameters<typeof call>[1])

async function approved(params: object, terms: object = {}, from = scout, what = action): Promise<string> {
  const { peck_id } = await aPeck(from, owner, { action: what, params: params as never })
  expect((await post('approve', { peck_id, ...terms })).status).toBe(200)
  return peck_id
}

/** Sends a request and returns its id and what the inbox says of it. */
async function asked(params: object, from = scout, what = action) {
  const { peck_id } = await aPeck(from, owner, { action: what, params: params as never })
  const { items } = (await call('GET /beak/peck/inbox', { token: owner.token })).body
  const found = items.find((item: { peck_id: string }) => item.peck_id === peck_id)
  const details = await call(`GET /beak/peck/details?peck_ids=${peck_id}`, { token: owner.token })
  expect(details.body.items[0].as_before).toEqual(found.as_before)
  return { id: peck_id, before: found.as_before }
}

const decide = async (...ids: string[]) => {
  const { body } = await post('decide', { decision: 'approve', peck_ids: ids, as_before: true })
  return body.items.map(({ outcome }: { outcome: string }) => outcome)
}

/** The same with one approval that lasts a minute only. */
const narrowed = () =>
  Promise.all([approved(at(20), { grant_expires_in: 60 }), approved(at(45)), approved(at(30))])

const three = () => Promise.all([approved(at(20)), approved(at(45)), approved(at(30))])

// security: agent-9
describe('a request as before', () => {
  it('says how often the same was approved, and the largest amount, and is approved together with others', async () => {
    await three()
    const one = await asked(at(45))
    const lowest = await asked(at(1))
    const before = {
      count: 3,
      last_approved_at: expect.any(String),
      largest: { amount: 45, currency: 'EUR' },
    }
    expect([one.before, lowest.before]).toEqual([before, before])
    expect(await decide(one.id, lowest.id)).toEqual(['decided', 'decided'])
  })

  it.each<[string, object]>([
    ['a larger amount', at(46)],
    ['another currency', at(20, 'Osteria', 'USD')],
    ['another target', at(20, 'osteria')],
    ['another param', { ...at(20), note: 'terrace' }],
  ])('has neither %s', async (_, params) => {
    await three()
    const { id, before } = await asked(params)
    expect(before).toBeNull()
    expect(await decide(id)).toEqual(['not_as_before'])
  })

  it('is of the same asker and of the same action', async () => {
    await three()
    const other = await anAgent(owner, { name: 'Scout' })
    await approved({}, {}, other, 'read:calendar')
    expect((await asked(at(20), other)).before).toBeNull()
    expect((await asked(at(20), scout, 'book:room')).before).toBeNull()
  })

  it('needs three approvals in 90 days', async () => {
    await approved(at(20))
    await approved(at(20))
    const second = await asked(at(10))
    expect(second.before).toBeNull()
    await approved(at(21))
    expect((await asked(at(11))).before).toMatchObject({ count: 3 })
    const old = secondsAfter(readClock(), -91 * day)
    await db().peck.updateMany({
      where: { askerId: (scout as { agentId?: string }).agentId ?? '', params: { contains: '21' } },
      data: { decidedAt: old },
    })
    expect((await asked(at(12))).before).toBeNull()
  })

  it.each(['revoked', 'undone', 'given by a rule', 'given by somebody else', 'narrowed'])(
    'does not count approvals that were %s',
    async (how) => {
      const [first] = how === 'narrowed' ? await narrowed() : await three()
      if (how === 'revoked') expect((await post('revoke', { peck_id: first })).status).toBe(200)
      if (how === 'undone') expect((await post('undo', { peck_id: first })).status).toBe(200)
      const ruled = { where: { id: first ?? '' }, data: { ruleId: 'RULE-1' } }
      if (how === 'given by a rule') await db().peck.update(ruled)
      if (how === 'given by somebody else')
        await db().peck.update({ where: { id: first ?? '' }, data: { undone: true } })
      const { id, before } = await asked(at(10))
      expect(before).toBeNull()
      expect(await decide(id)).toEqual(['not_as_before'])
    },
  )

  it('is computed again by the approval: the page may be older than a revocation', async () => {
    const [first] = await three()
    const { id, before } = await asked(at(10))
    expect(before).not.toBeNull()
    await post('revoke', { peck_id: first })
    expect(await decide(id)).toEqual(['not_as_before'])
  })

  it.each<[string, string, object]>([
    ['a high risk', 'delete:database', { name: 'customers' }],
    ['free text', 'ask:favour', { favour: 'water my plants' }],
    ['a secret', 'book:table', { place: 'Osteria', password: 'hunter2hunter2' }],
    ['a character that nobody sees', 'book:table', { place: 'Osteria\u200b' }],
  ])('is never %s', async (_, what, params) => {
    for (let index = 0; index < 3; index += 1) {
      const { peck_id } = await aPeck(scout, owner, { action: what, params: params as never })
      await post('approve', { peck_id })
    }
    expect((await asked(params, scout, what)).before).toBeNull()
  })

  it('is nobody’s whose key is new', async () => {
    await three()
    const { agentId } = scout as unknown as { agentId: string }
    const earlier = secondsAfter(readClock(), -2 * day)
    await db().agent.update({ where: { id: agentId }, data: { createdAt: earlier } })
    expect((await asked(at(10))).before).toBeNull()
  })

  it('is shown to its target only', async () => {
    const friend = await aDuckling()
    for (let index = 0; index < 3; index += 1) await approved(at(20), {}, friend)
    const { id } = await asked(at(20), friend)
    const seen = await call(`GET /beak/peck/details?peck_ids=${id}`, { token: friend.token })
    expect(seen.body.items[0].as_before).toBeNull()
  })
})
