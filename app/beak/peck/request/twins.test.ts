/** A stranger with the names of somebody whom the target knows (docs/risk.md). */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { type Asker, anApprovedPeck, aPeck } from '@/lib/factories/pecks'

type Names = { displayName?: string; fullName?: string; handle?: string }

async function named(names: Names): Promise<ADuckling> {
  const duckling = await aDuckling()
  await db().duckling.update({ where: { id: duckling.id }, data: names })
  return duckling
}

/** Returns the risk of a harmless request, as the target sees it. */
async function riskFor(target: ADuckling, asker: Asker) {
  const { peck_id } = await aPeck(asker, target, { action: 'read:weather' })
  return (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: target.token })).body.risk
}
const rulesFor = async (target: ADuckling, asker: Asker): Promise<string[]> =>
  (await riskFor(target, asker)).reasons.map(({ rule }: { rule: string }) => rule)

describe('a request of a stranger', () => {
  // security: asker-8
  it('is a high risk with the name of somebody who was approved, and names the day', async () => {
    const target = await aDuckling()
    const { peck_id } = await anApprovedPeck(await named({ displayName: 'Teal' }), target)
    const { decidedAt } = await db().peck.findUniqueOrThrow({ where: { id: peck_id } })
    const day = decidedAt?.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
    expect(await riskFor(target, await named({ displayName: 'Tea1' }))).toMatchObject({
      level: 'high',
      reasons: [{ rule: 'same_name', text: `Not the Teal you approved on ${day}: same name, other person.` }],
    })
  })

  // security: asker-8
  it('is a high risk with the full name in another script, a look-alike handle, or an agent with the name', async () => {
    const target = await aDuckling()
    const known = await named({ fullName: 'Anna Weber', handle: `teal-${target.id.slice(-6).toLowerCase()}` })
    await anApprovedPeck(await anAgent(known, { name: 'Scout' }), target)
    const handle = `tea1${target.id.slice(-6).toLowerCase()}`
    expect(await rulesFor(target, await named({ fullName: 'Аnnа Wеbеr' }))).toEqual(['same_name'])
    expect(await rulesFor(target, await anAgent(await named({ handle })))).toEqual(['same_name'])
    expect(await rulesFor(target, await anAgent(await aDuckling(), { name: 'Anna Weber' }))).toEqual([
      'look_alike',
    ])
    expect(await rulesFor(target, await named({ displayName: 'Scout' }))).toEqual(['look_alike'])
  })

  // security: asker-8
  it('is no risk with the name of a known agent alone, which the target is told', async () => {
    const target = await aDuckling()
    await anApprovedPeck(await anAgent(await aDuckling(), { name: 'Claude Code' }), target)
    const risk = await riskFor(target, await anAgent(await aDuckling(), { name: 'Claude Code' }))
    expect(risk).toMatchObject({ level: 'low', reasons: [] })
    expect(risk.novelty.map(({ rule }: { rule: string }) => rule)).toContain('other_agent')
  })

  it('is no twin of somebody who only asked, of its own agents, or after the target approved it', async () => {
    const target = await aDuckling()
    await aPeck(await named({ displayName: 'Teal' }), target)
    const twin = await named({ displayName: 'Teal' })
    expect(await rulesFor(target, twin)).toEqual([])
    await anApprovedPeck(twin, target, { action: 'read:calendar' })
    const [first, second] = [await anAgent(twin), await anAgent(twin, { name: 'Teal' })]
    expect(await rulesFor(target, first)).toEqual([])
    expect(await rulesFor(target, second)).toEqual([])
    const own = await anAgent(target, { name: 'Teal' })
    expect(await rulesFor(target, own)).toEqual([])
  })
})

// security: asker-8
it('does not tell the asker that it is a twin', async () => {
  const target = await aDuckling()
  await anApprovedPeck(await named({ displayName: 'Teal' }), target)
  const twin = await named({ displayName: 'Teal' })
  const sent = await aPeck(twin, target)
  expect(sent).not.toHaveProperty('risk')
  expect(JSON.stringify(sent)).not.toContain('same name')
})

// security: asker-12
it('gives the handle of the target away only with the answer', async () => {
  const [asker, target] = [await aDuckling(), await aDuckling()]
  const handle = `eider${target.id.slice(-8).toLowerCase()}`
  await db().duckling.update({ where: { id: target.id }, data: { handle, fullName: 'Eida Eider' } })
  const { peck_id, ...sent } = await aPeck(asker, target)
  const seen = async () =>
    (await call(`GET /beak/peck/status?peck_id=${peck_id}`, { token: asker.token })).body
  expect(sent).toMatchObject({ target_full_name: 'Eida Eider' })
  expect(JSON.stringify([sent, await seen()])).not.toContain(handle)
  await call('POST /beak/peck/reject', { token: target.token, body: { peck_id, reason: 'No' } })
  expect(await seen()).toMatchObject({ target_handle: handle })
  expect((await seen()).requester).not.toHaveProperty('member_since')
})

describe('a stranger who takes the name of a known person after asking', () => {
  const levelOf = async (target: ADuckling, peckId: string) =>
    (await call(`GET /beak/peck/status?peck_id=${peckId}`, { token: target.token })).body.risk
  const level = async (target: ADuckling, peckId: string) => (await levelOf(target, peckId)).level

  // security: asker-9
  it.each([
    ['a full name', 'same_name', { path: 'name-change', body: { full_name: 'Anna Weber' } }],
    ['a display name', 'same_name', { path: 'name-change', body: { new_display_name: 'AnnaWeber' } }],
    ['a profile', 'same_name', { path: 'profile/update', body: { full_name: 'Anna Weber' } }],
  ])('is a high risk after the change of %s', async (_, rule, { path, body }) => {
    const [target, asker] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(await named({ fullName: 'Anna Weber' }), target)
    const agent = await anAgent(asker)
    const pecks = [
      await aPeck(asker, target, { action: 'read:weather' }),
      await aPeck(agent, target, { action: 'read:weather' }),
    ]
    expect((await call(`POST /beak/${path}`, { token: asker.token, body })).status).toBe(200)
    for (const { peck_id } of pecks)
      expect(await levelOf(target, peck_id)).toMatchObject({
        level: 'high',
        reasons: [{ rule, text: expect.stringContaining('Not the ') }],
      })
    const { body: inbox } = await call('GET /beak/peck/inbox?risk=high', { token: target.token })
    expect(inbox.matching).toBe(2)
  })

  // security: asker-9
  it('is a high risk after the claim of a handle, and after the agent got the name', async () => {
    const [target, asker] = [await aDuckling(), await aDuckling()]
    // A random one may sound like words of the service.
    const name = 'goosandertwin'
    await anApprovedPeck(await named({ fullName: name }), target)
    const agent = await anAgent(asker)
    const [own, ofAgent] = [
      await aPeck(asker, target, { action: 'read:weather' }),
      await aPeck(agent, target, { action: 'read:weather' }),
    ]
    await call('POST /beak/agent/update', {
      token: asker.token,
      body: { agent_id: agent.agentId, agent_name: name },
    })
    expect([await level(target, own.peck_id), await level(target, ofAgent.peck_id)]).toEqual(['low', 'high'])
    await call('POST /beak/handle/claim', { token: asker.token, body: { handle: name } })
    expect(await level(target, own.peck_id)).toBe('high')
  })

  it('stays as it is with another name, and for a target that has approved something of it', async () => {
    const [target, friend, asker] = [await aDuckling(), await aDuckling(), await aDuckling()]
    const known = await named({ fullName: 'Anna Weber' })
    await anApprovedPeck(known, target)
    await anApprovedPeck(known, friend)
    await anApprovedPeck(asker, friend)
    const [strange, friendly] = [
      await aPeck(asker, target, { action: 'read:weather' }),
      await aPeck(asker, friend, { action: 'read:weather' }),
    ]
    const rename = (full_name: string) =>
      call('POST /beak/profile/update', { token: asker.token, body: { full_name } })
    await rename('Bertha Weber')
    expect(await level(target, strange.peck_id)).toBe('low')
    await db().duckling.update({ where: { id: asker.id }, data: { nextNameChangeAt: null } })
    await rename('Anna Weber')
    expect([await level(target, strange.peck_id), await level(friend, friendly.peck_id)]).toEqual([
      'high',
      'low',
    ])
  })

  // security: asker-9
  it('says that the name changed in requests beyond the 50 that are compared', async () => {
    const [target, asker] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target, { action: 'read:weather' })
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt", "uses")
      SELECT p."id" || lpad(n::text, 4, '0'), p."requesterDucklingId", p."askerId", p."targetDucklingId", p."action", p."scope", p."params",
        p."paramsHash", p."status", p."createdAt", p."expiresAt", 0
      FROM "Peck" p, generate_series(1, 50) n WHERE p."id" = ${peck_id}`
    await call('POST /beak/name-change', { token: asker.token, body: { full_name: 'Bertha' } })
    expect(await levelOf(target, peck_id)).toMatchObject({
      level: 'high',
      reasons: [{ rule: 'look_alike', text: 'The name changed after the request was sent.' }],
    })
    expect(await level(target, `${peck_id}0050`)).toBe('low')
  })
})
