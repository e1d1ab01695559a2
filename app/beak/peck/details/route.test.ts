import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { peckDetails } from '@/lib/domain/pecks/lists/details'
import { sendTestRequest } from '@/lib/domain/pecks/request/request'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { type Asker, anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

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

  it('sorts the values and marks the deciding value, so that an asker cannot bury a value with a warning', async () => {
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

  // security: asker-16
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

/** What the target is told of earlier requests of an asker is true: it counts only what was answered, and names who answered. */
async function historyOf(target: ADuckling, peckId: string, seconds = 0) {
  const context = await target.context()
  const [details] = await peckDetails({ ...context, now: secondsAfter(context.now, seconds) }, [peckId])
  return details?.asker_history
}

describe('how often the asker asked', () => {
  it('counts which requests still wait, and never those of another action', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const ask = (page: number) => aPeck(asker, target, { action: 'read:calendar', params: { page } })
    const first = await ask(1)
    await aPeck(asker, target, { action: 'read:mail' })
    const second = await ask(2)
    expect(await historyOf(target, second.peck_id)).toMatchObject({ asked: 2, waiting: 2, approved: 0 })
    const body = { peck_id: first.peck_id, reason: 'No' }
    await call('POST /beak/peck/reject', { token: target.token, body })
    expect(await historyOf(target, second.peck_id)).toMatchObject({ asked: 2, waiting: 1 })
  })
})

describe('what a rule approved', () => {
  it('is not counted as approved by the person, in any answer', async () => {
    const owner = await aDuckling({ tier: 'T2' })
    const friend = await aDuckling()
    const agent = await anAgent(friend, { name: 'Shopper' })
    const passkey = await aPasskey(owner)
    const pay = (cents: number) =>
      aPeck(agent, owner, {
        action: 'pay:invoice',
        params: { amount: `€3.${cents}`, to: 'shop@example.com' },
      })
    const { peck_id } = await pay(10)
    await call('POST /beak/peck/approve', { token: owner.token, body: { peck_id } })
    const rule = await aRule(owner, passkey.authenticator, shopRule(agent.agentId))
    for (const cents of [11, 12]) expect((await pay(cents)).decided_by).toMatchObject({ type: 'rule' })
    await call('POST /beak/rule/pause', { token: owner.token, body: { rule_id: rule.rule_id } })
    const waiting = await pay(13)
    const counts = { approved: 1, approved_by_rule: 2 }
    expect(await historyOf(owner, waiting.peck_id)).toMatchObject({ asked: 4, waiting: 1, ...counts })
    const read = async (path: string) => (await call(`GET /beak/${path}`, { token: owner.token })).body
    const card = await read(`peck/asker?asker=${agent.agentId}`)
    expect(card).toMatchObject({ approved: 1, rejected: 0, by_rules: { approved: 2, rejected: 0 } })
    expect(card.agents).toMatchObject([counts])
    const answered = card.decisions.map(({ by_rule }: { by_rule: boolean }) => by_rule)
    expect(answered).toEqual([true, true, false])
    expect((await read('peck/askers')).items[0].actions).toMatchObject([counts])
    expect((await read('contact/list')).items).toMatchObject([counts])
    const activity = await call('GET /beak/agent/activity', { token: friend.token })
    expect(activity.body.items[0].peck).toMatchObject({ status: 'pending', by_rule: false })
  })
})

describe('what became of earlier permissions', () => {
  const timed = { scope: 'timed', grantExpiresIn: 60 } as const
  const approved = (asker: Asker, target: ADuckling, action: string) =>
    anApprovedPeck(asker, target, { action, ...timed })

  it('says "not used" only of those that ended by themselves, and leaves revoked and active ones out', async () => {
    const target = await aDuckling()
    const asker = await anAgent(target)
    await sendTestRequest(await target.context(), asker.agentId).then(({ peck_id }) =>
      call('POST /beak/peck/approve', { token: target.token, body: { peck_id } }),
    )
    await approved(asker, target, 'read:notes')
    const revoked = await approved(asker, target, 'read:photos')
    await call('POST /beak/peck/revoke', { token: target.token, body: { peck_id: revoked.peck_id } })
    const used = await approved(asker, target, 'read:files')
    await call('POST /beak/peck/consume', { body: { grant_token: used.grant_token, params: {} } })
    const { peck_id } = await aPeck(asker, target, { action: 'read:calendar' })
    expect((await historyOf(target, peck_id))?.used).toMatchObject({ approvals: 1, uses: 1 })
    expect((await historyOf(target, peck_id, 120))?.used).toMatchObject({ approvals: 2, uses: 1 })
  })
})
