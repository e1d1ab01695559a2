import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { readClock } from '@/lib/kernel/runtime/clock'

const line = 'POST /beak/contact/update'
const update = ({ token }: ADuckling, body: object) => call(line, { token, body })
const listOf = async ({ token }: ADuckling) => (await call('GET /beak/contact/list', { token })).body.items
const reasonOf = ({ status, body }: { status: number; body: { reason: string } }) => [status, body.reason]
const spendStrangers = ({ id }: ADuckling) =>
  db().budget.create({ data: { name: 'strangers', key: id, tokens: 0, refilledAt: readClock() } })

async function answered(
  owner: ADuckling,
  asker: Parameters<typeof aPeck>[0],
  decision: 'approve' | 'reject',
) {
  const { peck_id } = await aPeck(asker, owner)
  const body = decision === 'approve' ? { peck_id } : { peck_id, reason: 'No.' }
  const { status } = await call(`POST /beak/peck/${decision}`, { token: owner.token, body })
  expect(status).toBe(200)
}

describe('the list', () => {
  it('has the agents and people who were answered, with their names, numbers and blocks', async () => {
    const [owner, friend, operator, refused, waiting] = await Promise.all(
      Array.from({ length: 5 }, () => aDuckling()),
    )
    const agent = await anAgent(operator as ADuckling)
    await answered(owner as ADuckling, friend as ADuckling, 'approve')
    await answered(owner as ADuckling, agent, 'approve')
    await answered(owner as ADuckling, refused as ADuckling, 'reject')
    await aPeck(waiting as ADuckling, owner as ADuckling)
    const { token } = owner as ADuckling
    await call('POST /beak/peck/block', { token, body: { duckling_id: refused?.id } })
    expect(await listOf(owner as ADuckling)).toMatchObject([
      { asker: refused?.id, approved: 0, blocked_at: expect.any(String), note: null, always: false },
      {
        asker: agent.agentId,
        operator_name: operator?.displayName,
        duckling_id: operator?.id,
        approved: 1,
        blocked_at: null,
      },
      { asker: friend?.id, name: friend?.displayName, asked: 1, approved: 1 },
    ])
  })

  it('leaves out the own agents and the agents of closed accounts', async () => {
    const [owner, leaving] = [await aDuckling(), await aDuckling()]
    await answered(owner, await anAgent(owner), 'approve')
    await answered(owner, leaving, 'approve')
    expect(await listOf(owner)).toHaveLength(1)
    await update(owner, { asker: leaving.id, note: 'Neighbour' })
    expect((await call('POST /beak/account/delete', { token: leaving.token })).status).toBe(200)
    expect(await listOf(owner)).toEqual([])
    expect(await db().contact.count({ where: { ducklingId: owner.id } })).toBe(0)
  })
})

describe('a note', () => {
  it('is kept, changed and removed, and only its owner sees it', async () => {
    const [owner, friend] = [await aDuckling(), await aDuckling()]
    await answered(owner, friend, 'approve')
    const asker = friend.id
    expect((await update(owner, { asker, note: ' Neighbour ' })).body).toEqual({
      asker,
      note: 'Neighbour',
      always: false,
    })
    expect(await listOf(owner)).toMatchObject([{ note: 'Neighbour' }])
    const { body } = await call('GET /beak/account/export', { token: owner.token })
    expect(body.contacts).toEqual([{ asker, note: 'Neighbour', always_since: null }])
    const exported = await call('GET /beak/account/export', { token: friend.token })
    expect(JSON.stringify(exported.body)).not.toContain('Neighbour')
    await update(owner, { asker, note: null })
    expect(await db().contact.count({ where: { ducklingId: owner.id } })).toBe(0)
  })

  it('is refused about somebody who never asked, even when a block hid every request', async () => {
    const [owner, stranger, hidden] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: hidden.id } })
    await aPeck(hidden, owner)
    for (const asker of [stranger.id, hidden.id, owner.id, 'AGT-0000000000000000'])
      expect(reasonOf(await update(owner, { asker, note: 'Who?' }))).toEqual([404, 'asker_not_found'])
  })

  it('needs a field', async () => {
    const { body } = await update(await aDuckling(), { asker: 'DUCK-0000000000000000' })
    expect(body.errors).toEqual([{ field: 'note', message: 'must be sent, or always' }])
  })
})

describe('an asker who may always reach', () => {
  it('comes into the first list at once, and from then on without the budget of strangers', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await spendStrangers(owner)
    const waiting = await aPeck(asker, owner)
    const idsOf = async (query: string) =>
      (await call(`GET /beak/peck/inbox${query}`, { token: owner.token })).body.items.map(
        ({ peck_id }: { peck_id: string }) => peck_id,
      )
    expect([await idsOf(''), await idsOf('?list=strangers')]).toEqual([[], [waiting.peck_id]])
    expect((await update(owner, { asker: asker.id, always: true })).status).toBe(200)
    const next = await aPeck(asker, owner, { action: 'read:mail' })
    expect(await idsOf('')).toEqual([next.peck_id, waiting.peck_id])
    const mail = await db().peckMail.findUnique({ where: { peckId: next.peck_id } })
    expect(mail?.remindAt).toBeInstanceOf(Date)
    expect((await update(owner, { asker: asker.id, always: false })).body.always).toBe(false)
    const last = await aPeck(asker, owner, { action: 'read:list' })
    expect(await idsOf('?list=strangers')).toEqual([last.peck_id])
  })

  it('asks below the lowest tier, and its request is still a first contact', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await aPeck(asker, owner)
    await call('POST /beak/profile/update', { token: owner.token, body: { min_peck_tier: 'T3' } })
    const ask = () =>
      call('POST /beak/peck/request', {
        token: asker.token,
        body: { target_duckling_id: owner.id, action: 'read:mail', scope: 'limited' },
      })
    expect((await ask()).status).toBe(403)
    await update(owner, { asker: asker.id, always: true })
    const { status, body } = await ask()
    expect(status).toBe(200)
    const { items } = (await call('GET /beak/peck/inbox', { token: owner.token })).body
    expect(items[0]).toMatchObject({ peck_id: body.peck_id, first_contact: true })
  })

  // security: stranger-37
  it('is hidden by a block all the same', async () => {
    const [owner, asker] = [await aDuckling(), await aDuckling()]
    await acquaint(owner, asker.id)
    await update(owner, { asker: asker.id, always: true })
    await call('POST /beak/peck/block', { token: owner.token, body: { duckling_id: asker.id } })
    await aPeck(asker, owner)
    expect((await call('GET /beak/peck/inbox', { token: owner.token })).body.items).toEqual([])
    expect(await listOf(owner)).toMatchObject([{ always: true, blocked_at: expect.any(String) }])
  })

  it('is that agent only, and no other agent of the same person', async () => {
    const [owner, operator] = [await aDuckling(), await aDuckling()]
    const [agent, other] = [await anAgent(operator), await anAgent(operator)]
    await spendStrangers(owner)
    await acquaint(owner, agent.agentId)
    await update(owner, { asker: agent.agentId, always: true })
    const { peck_id } = await aPeck(other, owner)
    const { items } = (await call('GET /beak/peck/inbox?list=strangers', { token: owner.token })).body
    expect(items).toMatchObject([{ peck_id }])
  })
})
