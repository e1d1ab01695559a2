/** Agents that may ask only their owner. */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'

const ask = (key: string, target: object, headers = {}) =>
  call('POST /beak/peck/request', {
    key,
    headers,
    body: { action: 'read:calendar', scope: 'limited', ...target },
  })
const change = ({ token }: ADuckling, agentId: string, asks_others: boolean) =>
  call('POST /beak/agent/update', { token, body: { agent_id: agentId, asks_others } })
const refusal = ({ status, body }: { status: number; body: { reason: string } }) => [status, body.reason]
const refused = [403, 'asks_owner_only']

/** Returns every way to name a person who can be asked. */
async function waysTo(person: ADuckling) {
  const handle = `h${person.id.slice(-10).toLowerCase()}`
  await db().duckling.update({ where: { id: person.id }, data: { handle } })
  const { body } = await call('POST /beak/invitation/create', { token: person.token, body: {} })
  return [
    { target_duckling_id: person.id },
    { target: person.id },
    { target: `@${handle}` },
    { target: body.url },
  ]
}

describe('an agent that may ask only its owner', () => {
  // security: agent-11
  it('is refused for other people, however it names them, and asks its owner', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const { beakKey } = await anAgent(owner, { asksOthers: false })
    for (const target of await waysTo(other)) {
      const answer = await ask(beakKey, target)
      expect(refusal(answer)).toEqual(refused)
      expect(answer.body.action).toContain('Send the request to your owner')
    }
    expect(await db().peck.count({ where: { targetDucklingId: other.id } })).toBe(0)
    expect(await db().invitation.count({ where: { ducklingId: other.id, uses: { gt: 0 } } })).toBe(0)
    for (const target of await waysTo(owner)) expect((await ask(beakKey, target)).status).toBe(200)
  })

  it('is refused a request that waits already, and asks again when its owner allows it', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const { agentId, beakKey } = await anAgent(owner)
    const target = { target: other.id }
    expect((await ask(beakKey, target)).status).toBe(200)
    expect((await change(owner, agentId, false)).body.asks_others).toBe(false)
    expect(refusal(await ask(beakKey, target))).toEqual(refused)
    expect((await change(owner, agentId, true)).body.asks_others).toBe(true)
    expect((await ask(beakKey, target)).body.repeated).toBe(true)
  })

  it('gets 404 for a person who does not exist', async () => {
    const { beakKey } = await anAgent(await aDuckling(), { asksOthers: false })
    expect(refusal(await ask(beakKey, { target: '@nobody-has-this' }))).toEqual([404, 'duckling_not_found'])
  })

  it('leaves the refused attempt in the log of its owner', async () => {
    const [owner, other] = [await aDuckling(), await aDuckling()]
    const { beakKey } = await anAgent(owner, { asksOthers: false })
    await ask(beakKey, { target: other.id })
    const events = await db().auditEvent.findMany({
      where: { action: 'peck.sent', ducklingId: { in: [owner.id, other.id] } },
    })
    expect(events).toMatchObject([
      { ducklingId: owner.id, outcome: 'denied', metadata: { failure: 'asks_owner_only' } },
    ])
  })
})

describe('asks_others', () => {
  const registered = async (more: object) => {
    const { token } = await aDuckling()
    const body = { agent_name: 'Mole', agent_type: 'assistant', capabilities: ['request:peck'], ...more }
    const { status, body: made } = await call('POST /beak/agent/register', { token, body })
    const [agent] = (await call('GET /beak/agent/list', { token })).body.items
    const seen = await call(`GET /beak/agent/verify?agent_id=${made.agent_id}`)
    return [status, agent?.asks_others, seen.body.asks_others]
  }

  it('is true unless the registration says otherwise, for its owner and for everybody', async () => {
    expect(await registered({})).toEqual([200, true, true])
    expect(await registered({ asks_others: true })).toEqual([200, true, true])
    expect(await registered({ asks_others: false })).toEqual([200, false, false])
  })

  it('can be made false without a recent proof, and not true', async () => {
    const owner = await aDuckling()
    const { agentId } = await anAgent(owner)
    await db().session.updateMany({
      where: { ducklingId: owner.id },
      data: { authTime: new Date(Date.now() - 3_600_000) },
    })
    expect((await change(owner, agentId, false)).status).toBe(200)
    expect(refusal(await change(owner, agentId, true))).toEqual([403, 'fresh_sign_in_needed'])
    expect((await change(owner, agentId, false)).status).toBe(200)
  })
})
