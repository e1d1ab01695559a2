/** What the target is told of earlier requests of an asker is true: it counts only what was answered, and names who answered. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { peckDetails } from '@/lib/domain/pecks/lists/details'
import { sendTestRequest } from '@/lib/domain/pecks/request/test-request'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { type Asker, anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { secondsAfter } from '@/lib/kernel/clock'

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
