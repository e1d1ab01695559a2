/** After the undo of a change of address, a thief cannot use the permissions whose tokens the thief could read. */
import { beforeEach, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'

let owner: ADuckling
/** A session of somebody who reads the mail of the owner. */
let thief: ADuckling
let friend: ADuckling
beforeEach(async () => {
  owner = await aDuckling()
  friend = await aDuckling()
  thief = through(owner, await anotherSession(owner))
})

type Credentials = { token: string } | { key: string }

const params = { calendar: 'work' }

/** The friend permits what is asked. Returns the id of the request. */
async function permitted(asker: Credentials, scope: 'timed' | 'limited'): Promise<string> {
  const body = { target_duckling_id: friend.id, action: 'read:calendar', scope, params }
  const { peck_id } = (await call('POST /beak/peck/request', { ...asker, body })).body
  const approved = await call('POST /beak/peck/approve', { token: friend.token, body: { peck_id } })
  expect(approved.status).toBe(200)
  return String(peck_id)
}

const tokenOf = async (reader: Credentials, peckId: string) =>
  String((await call(`GET /beak/peck/status?peck_id=${peckId}`, reader)).body.grant_token)

async function use(grant_token: string) {
  const { status, body } = await call('POST /beak/peck/consume', { body: { grant_token, params } })
  return [status, body.reason]
}

async function undo() {
  const { status } = await call('POST /beak/email-change/undo', {
    body: { token: await undoLinkTo(owner.email) },
  })
  expect(status).toBe(200)
}

const refused = [401, 'grant_token_invalid']

// security: mail-9
it.each(['timed', 'limited'] as const)(
  'refuses the token of a %s permission of the owner that a session could read, and gives the owner a new one',
  async (scope) => {
    const peckId = await permitted(owner, scope)
    const read = await tokenOf(thief, peckId)
    await changeAddress(thief)
    await undo()
    expect(await use(read)).toEqual(refused)
    const back = through(owner, await anotherSession(owner))
    expect((await use(await tokenOf(back, peckId)))[0]).toBe(200)
  },
)

// security: mail-9
it('refuses the token of a permission of an agent that a removed key could read, and none of another agent', async () => {
  const [agent, other] = [await anAgent(owner), await anAgent(owner)]
  const [peckId, otherId] = [
    await permitted({ key: agent.beakKey }, 'timed'),
    await permitted({ key: other.beakKey }, 'timed'),
  ]
  const kept = await tokenOf({ key: other.beakKey }, otherId)
  await changeAddress(thief)
  const body = { agent_id: agent.agentId }
  const { beak_key: key } = (await call('POST /beak/key/rotate', { token: thief.token, body })).body
  const read = await tokenOf({ key }, peckId)
  await undo()
  expect(await use(read)).toEqual(refused)
  expect((await use(kept))[0]).toBe(200)
  const back = through(owner, await anotherSession(owner))
  const next = (await call('POST /beak/key/rotate', { token: back.token, body })).body
  expect((await use(await tokenOf({ key: next.beak_key }, peckId)))[0]).toBe(200)
})
