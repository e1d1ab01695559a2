/** Own agents that a passkey made are known from the start, and no others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { openOwnDoors } from '@/app/oauth/open-doors'
import { db } from '@/lib/db/client'
import { agentContext } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { allow, aProgram, begin, type Doors } from '@/lib/fixtures/programs'
import { day, minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let doors: Doors
beforeAll(async () => {
  doors = await openOwnDoors()
})
afterAll(() => doors.close())

let owner: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
})

const post = (line: 'register' | 'bond' | 'resume' | 'deregister', body: object, key?: string) =>
  call(`POST /beak/agent/${line}`, { ...(key ? { key } : { token: owner.token }), body } as Parameters<
    typeof call
  >[1])
const age = (data: object) => db().duckling.update({ where: { id: owner.id }, data })
const session = (data: object) => db().session.updateMany({ where: { ducklingId: owner.id }, data })

async function register() {
  const body = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck'] }
  return post('register', body)
}

interface Made {
  agent_id: string
  beak_key: string
  handshake_token: string
}

async function bond({ agent_id, beak_key, handshake_token }: Made) {
  expect((await post('bond', { agent_id, handshake_token }, beak_key)).status).toBe(200)
  return { agentId: agent_id, context: () => agentContext(beak_key) }
}

/** Registers an agent with a passkey, on the first day of the account. */
async function madeByPasskey() {
  const { authenticator } = await aPasskey(owner)
  await confirmWithPasskey(owner, authenticator)
  return bond((await register()).body)
}

/** Returns the outcomes of approving requests of these actions together. */
async function outcomesOf(agent: Awaited<ReturnType<typeof bond>>, actions = ['read:calendar']) {
  const ids: string[] = []
  for (const action of actions) ids.push((await aPeck(agent, owner, { action })).peck_id)
  const body = { decision: 'approve', peck_ids: ids }
  const { items } = (await call('POST /beak/peck/decide', { token: owner.token, body })).body
  return items.map(({ outcome }: { outcome: string }) => outcome)
}

describe('an agent that a passkey made', () => {
  it('has its low risks approved together on the first day, and medium ones one by one', async () => {
    const actions = ['read:calendar', 'read:weather', 'send:email']
    expect(await outcomesOf(await madeByPasskey(), actions)).toEqual(['decided', 'decided', 'first_contact'])
  })

  it('is new once, for its first request, and not for each action', async () => {
    const agent = await madeByPasskey()
    const pecks = []
    for (const action of ['read:calendar', 'read:weather', 'send:email'])
      pecks.push((await aPeck(agent, owner, { action })).peck_id)
    const { items } = (await call('GET /beak/peck/inbox', { token: owner.token })).body
    expect(items.map(({ first_contact }: { first_contact: boolean }) => first_contact)).toEqual([
      true,
      false,
      false,
    ])
    const details = await call(`GET /beak/peck/details?peck_ids=${pecks}`, { token: owner.token })
    const firsts = details.body.items.map(({ first_contact }: { first_contact: boolean }) => first_contact)
    expect(firsts.sort()).toEqual([false, false, true])
    const newFacts = []
    for (const id of pecks) {
      const { risk } = (await call(`GET /beak/peck/status?peck_id=${id}`, { token: owner.token })).body
      newFacts.push(risk.novelty.map(({ rule }: { rule: string }) => rule))
    }
    expect(newFacts).toEqual([['first_time_asker'], [], []])
  })

  it('stays known when its owner renames it', async () => {
    const agent = await madeByPasskey()
    const body = { agent_id: agent.agentId, agent_name: 'Rambler' }
    expect((await call('POST /beak/agent/update', { token: owner.token, body })).status).toBe(200)
    expect(await outcomesOf(agent)).toEqual(['decided'])
  })
})

// security: agent-30
describe('an agent stays new until something of it is approved', () => {
  it('that a code made, in an account without a passkey', async () => {
    const agent = await bond((await register()).body)
    expect(await outcomesOf(agent, ['read:calendar', 'read:weather'])).toEqual([
      'first_contact',
      'first_contact',
    ])
    const { peck_id } = await aPeck(agent, owner, { action: 'read:notes' })
    await call('POST /beak/peck/approve', { token: owner.token, body: { peck_id } })
    expect(await outcomesOf(agent)).toEqual(['decided'])
  })

  it('that a passkey of less than a day made, which somebody with the mailbox could have added', async () => {
    await age({ createdAt: secondsAfter(readClock(), -2 * day) })
    expect(await outcomesOf(await madeByPasskey())).toEqual(['first_contact'])
  })

  it('that a device of the device flow prepared, also after its owner resumes it', async () => {
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    await session({ amr: ['device'] })
    const made = (await register()).body
    await session({ amr: ['pop'] })
    expect((await post('resume', { agent_id: made.agent_id })).status).toBe(200)
    expect(await outcomesOf(await bond(made))).toEqual(['first_contact'])
  })

  it('whose key a session made after the passkeys of the account were removed', async () => {
    const agent = await madeByPasskey()
    await db().passkey.deleteMany({ where: { ducklingId: owner.id } })
    await session({ passkeyAt: null, passkeyId: null })
    const { agentId: agent_id } = agent
    const rotated = await call('POST /beak/key/rotate', { token: owner.token, body: { agent_id } })
    expect(rotated.status).toBe(200)
    const { beak_key } = rotated.body
    expect(await outcomesOf({ ...agent, context: () => agentContext(beak_key) })).toEqual(['first_contact'])
  })

  it('of which a passkey that made it, or one of its keys, was removed, while another passkey stays', async () => {
    const removeNewest = async () => {
      const { id: passkey_id } = await db().passkey.findFirstOrThrow({
        where: { ducklingId: owner.id },
        orderBy: { id: 'desc' },
      })
      const removed = await call('POST /beak/passkey/remove', { token: owner.token, body: { passkey_id } })
      expect(removed.status).toBe(200)
    }
    const first = await madeByPasskey()
    const older = await madeByPasskey()
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    const body = { agent_id: older.agentId }
    const { beak_key } = (await call('POST /beak/key/rotate', { token: owner.token, body })).body
    await removeNewest()
    expect(await outcomesOf({ ...older, context: () => agentContext(beak_key) })).toEqual(['first_contact'])
    expect(await outcomesOf(first)).toEqual(['decided'])
    const unknown = await bond((await register()).body)
    await db().agent.update({ where: { id: unknown.agentId }, data: { madeByPasskey: true, passkeyIds: [] } })
    await removeNewest()
    expect(await outcomesOf(unknown)).toEqual(['first_contact'])
  })

  it('that a consent with only a code connected, unlike one with a passkey', async () => {
    const connect = async () => {
      const begun = await begin(doors, await aProgram(doors))
      const { body } = await allow(doors, begun, owner)
      return db().agent.findUniqueOrThrow({ where: { id: body.agent_id } })
    }
    expect((await connect()).madeByPasskey).toBe(false)
    const { authenticator } = await aPasskey(owner)
    await confirmWithPasskey(owner, authenticator)
    expect((await connect()).madeByPasskey).toBe(true)
  })

  it('that is older than the fact, or registered anew with a code', async () => {
    const agent = await madeByPasskey()
    await db().agent.update({ where: { id: agent.agentId }, data: { madeByPasskey: null } })
    expect(await outcomesOf(agent)).toEqual(['first_contact'])
    await db().agent.update({ where: { id: agent.agentId }, data: { madeByPasskey: true } })
    await post('deregister', { agent_id: agent.agentId })
    await db().passkey.deleteMany({ where: { ducklingId: owner.id } })
    await session({ passkeyAt: null, passkeyId: null, authTime: readClock() })
    expect(await outcomesOf(await bond((await register()).body))).toEqual(['first_contact'])
  })

  it('that a passkey of another person made', async () => {
    const agent = await madeByPasskey()
    const target = await aDuckling()
    const { peck_id } = await aPeck(agent, target, { action: 'read:calendar' })
    const body = { decision: 'approve', peck_ids: [peck_id] }
    const { items } = (await call('POST /beak/peck/decide', { token: target.token, body })).body
    expect(items[0].outcome).toBe('first_contact')
  })
})

it('refuses to register an agent for a session whose passkey is not recent', async () => {
  const { authenticator } = await aPasskey(owner)
  await confirmWithPasskey(owner, authenticator)
  await session({ passkeyAt: secondsAfter(readClock(), -11 * minute) })
  expect(await register()).toMatchObject({ status: 403, body: { reason: 'fresh_passkey_needed' } })
})
