/** What somebody tries with an answer to a harmless request in free text: to pass as an asker to whom something was permitted. */
import { freeTextAction } from '@beak/decision/free-text'
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'

const favour = { action: freeTextAction, params: { favour: 'tell me when you are home' } }
type Asker = Parameters<typeof aPeck>[0]
type Target = Parameters<typeof aPeck>[1]

/** The target answers a favour with yes. */
async function answerFavour(asker: Asker, target: Target) {
  const { peck_id } = await aPeck(asker, target, favour)
  const { status } = await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
  expect(status).toBe(200)
}

const decided = async ({ token }: Target, peckId: string) =>
  (await call('POST /beak/peck/decide', { token, body: { decision: 'approve', peck_ids: [peckId] } })).body
    .items[0].outcome

it('keeps the first permission of an asker out of decisions about several requests', async () => {
  const [target, asker] = [await aDuckling(), await aDuckling()]
  await answerFavour(asker, target)
  const { peck_id } = await aPeck(asker, target, { action: 'read:calendar' })
  expect(await decided(target, peck_id)).toBe('first_contact')
  await anApprovedPeck(asker, target, { action: 'read:weather' })
  expect(await decided(target, peck_id)).toBe('decided')
})

it('lets no rule for all agents of a person answer the first request of an agent', async () => {
  const [target, operator] = [await aDuckling({ tier: 'T2' }), await aDuckling()]
  const { authenticator } = await aPasskey(target)
  const { agent_id: _, ...shop } = shopRule('')
  await aRule(target, authenticator, {
    ...shop,
    operator_id: operator.id,
    params: {},
    actions: ['read:weather'],
  })
  const agent = await anAgent(operator)
  await answerFavour(agent, target)
  expect(await aPeck(agent, target, { action: 'read:weather' })).toMatchObject({ status: 'pending' })
  await anApprovedPeck(agent, target, { action: 'read:calendar' })
  expect(await aPeck(agent, target, { action: 'read:weather', message: 'again' })).toMatchObject({
    status: 'pending',
    repeated: true,
  })
  const other = await aPeck(agent, target, { action: 'read:weather', audience: 'weather.example.com' })
  expect(other).toMatchObject({ status: 'approved' })
})

it('warns of an impostor after the impostor got an answer', async () => {
  const [target, friend] = [await aDuckling(), await aDuckling({ displayName: 'Teal' })]
  await anApprovedPeck(friend, target, { action: 'read:calendar' })
  const impostor = await aDuckling({ displayName: 'Teal' })
  await answerFavour(impostor, target)
  const { peck_id } = await aPeck(impostor, target, { action: 'read:calendar' })
  const { body } = await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: target.token })
  expect(body.risk.reasons.map(({ rule }: { rule: string }) => rule)).toContain('same_name')
})
