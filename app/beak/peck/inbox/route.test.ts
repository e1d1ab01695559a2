import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'

const inbox = ({ token }: ADuckling, query = '') => call(`GET /beak/peck/inbox${query}`, { token })
const idsOf = (body: { items: { peck_id: string }[] }) => body.items.map(({ peck_id }) => peck_id)

async function aFullInbox() {
  const target = await aDuckling()
  const scout = await anAgent(await aDuckling(), { name: 'Scout' })
  const params = { amount: { amount: 4800, currency: 'EUR' }, to: 'shop@example.com' }
  const pay = await aPeck(scout, target, { action: 'pay:invoice', params })
  const read = await aPeck(scout, target, { action: 'read:calendar', message: 'For the pond party' })
  return { target, scout, pay, read }
}

/** Copies a peck, each time with another id and another action. */
async function copiesWithActions(peckId: string, count: number): Promise<void> {
  await db().run`
    INSERT INTO "Peck" SELECT (jsonb_populate_record(p, jsonb_build_object(
      'id', p."id" || lpad(n::text, 3, '0'), 'action', 'read:f' || n, 'pendingKey', p."pendingKey" || n))).*
    FROM "Peck" p, generate_series(1, ${count}) n WHERE p."id" = ${peckId}`
}

describe('200', () => {
  it('returns a line for each waiting peck with its deciding value and its risk, newest first', async () => {
    const { target, scout, pay, read } = await aFullInbox()
    const { body, status } = await inbox(target)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 2, matching: 2 })
    expect(idsOf(body)).toEqual([read.peck_id, pay.peck_id])
    expect(body.items[1]).toMatchObject({
      sentence: 'pay an invoice, once, within 24 hours of the approval',
      value: { name: 'amount', type: 'money', text: '€4,800.00' },
      risk_level: 'high',
      needs_passkey: false,
      requester: { agent_name: 'Scout' },
    })
    expect(body.askers).toEqual([
      { value: scout.agentId, label: expect.stringMatching(/^Scout, /), count: 2 },
    ])
  })

  it.each([
    ['?action=pay:invoice', 'pay'],
    ['?risk=high', 'pay'],
    ['?q=shop+4800', 'pay'],
    ['?q=POND+scout', 'read'],
  ] as const)('selects pecks with %s and counts all of them', async (query, expected) => {
    const full = await aFullInbox()
    const { body } = await inbox(full.target, query)
    expect(idsOf(body)).toEqual([full[expected].peck_id])
    expect(body).toMatchObject({ total: 2, matching: 1 })
  })

  it('sorts by risk or by the time left before it applies the limit, and newest first among equals', async () => {
    const { target, scout, pay, read } = await aFullInbox()
    const short = await aPeck(scout, target, { action: 'read:notes', expiresIn: 600 })
    const inOrder = async (sort: string) => idsOf((await inbox(target, `?sort=${sort}`)).body)
    expect(await inOrder('newest')).toEqual([short, read, pay].map(({ peck_id }) => peck_id))
    const byRisk = await inOrder('risk')
    expect(byRisk).toEqual([pay, short, read].map(({ peck_id }) => peck_id))
    expect(await inOrder('risk&q=scout')).toEqual(byRisk)
    expect((await inOrder('expiry'))[0]).toBe(short.peck_id)
    await db().peck.update({
      where: { id: read.peck_id },
      data: { expiresAt: new Date(Date.now() + 60_000) },
    })
    expect(await inOrder('expiry')).toEqual([read, short, pay].map(({ peck_id }) => peck_id))
    expect(await inOrder('risk&limit=1')).toEqual([pay.peck_id])
  })

  it('keeps the pecks of an asker together, and the asker who asked last comes first', async () => {
    const { target, scout, pay, read } = await aFullInbox()
    const other = await aPeck(await aDuckling(), target)
    const latest = await aPeck(scout, target, { action: 'read:notes' })
    const { body } = await inbox(target, '?sort=asker')
    expect(idsOf(body)).toEqual([latest, read, pay, other].map(({ peck_id }) => peck_id))
    expect(idsOf((await inbox(target, '?sort=asker&limit=2')).body)).toEqual([latest.peck_id, read.peck_id])
  })

  it('has the caller’s own agents and known askers before strangers in the order of askers', async () => {
    const target = await aDuckling()
    const [own, friend] = [await anAgent(target, { name: 'Mine' }), await anAgent(await aDuckling())]
    const mine = await aPeck(own, target)
    const first = await aPeck(friend, target, { action: 'read:calendar' })
    await call('POST /beak/peck/approve', { token: target.token, body: { peck_id: first.peck_id } })
    const known = await aPeck(friend, target, { action: 'read:notes' })
    const stranger = await aPeck(await aDuckling(), target)
    const inOrder = async (query: string) => idsOf((await inbox(target, query)).body)
    const sorted = [mine, known, stranger].map(({ peck_id }) => peck_id)
    expect(await inOrder('?sort=asker')).toEqual(sorted)
    expect(await inOrder('?sort=asker&limit=1')).toEqual(sorted.slice(0, 1))
    const strangers = async () =>
      (await inbox(target)).body.items.filter(({ known }: { known: boolean }) => !known)
    expect(await strangers()).toMatchObject([{ peck_id: stranger.peck_id }])
    await call('POST /beak/contact/update', {
      token: target.token,
      body: { asker: stranger.requester.duckling_id, always: true },
    })
    expect(await strangers()).toEqual([])
    expect(await inOrder('')).toEqual([stranger, known, mine].map(({ peck_id }) => peck_id))
  })

  it('counts all waiting pecks when it shows one, also those that are older than the stored risk', async () => {
    const { target, pay, read } = await aFullInbox()
    await db().peck.update({ where: { id: pay.peck_id }, data: { riskLevel: null, riskReasons: null } })
    const { body } = await inbox(target, '?limit=1')
    expect(idsOf(body)).toEqual([read.peck_id])
    expect(body).toMatchObject({ total: 2, matching: 2 })
    const high = (await inbox(target, '?risk=high&limit=1')).body
    expect(idsOf(high)).toEqual([pay.peck_id])
    expect(high.items[0]).toMatchObject({ risk_level: 'high', value: { text: '€4,800.00' } })
    const searched = (await inbox(target, '?q=scout&limit=1')).body
    for (const field of ['total', 'askers', 'actions', 'risks']) {
      expect(high[field]).toEqual(body[field])
      expect(searched[field]).toEqual(body[field])
    }
  })

  it('labels the askers whose pecks the limit leaves out', async () => {
    const { target, scout } = await aFullInbox()
    const other = await aDuckling({ displayName: 'Erpel' })
    const { peck_id } = await aPeck(other, target)
    const { body } = await inbox(target, '?limit=1')
    expect(idsOf(body)).toEqual([peck_id])
    expect(body.askers).toEqual([
      { value: scout.agentId, label: expect.stringMatching(/^Scout, /), count: 2 },
      { value: other.id, label: expect.stringMatching(/^Erpel /), count: 1 },
    ])
  })

  it('has the 100 most frequent actions as choices, and the action of the filter', async () => {
    const { target, scout, read } = await aFullInbox()
    await copiesWithActions(read.peck_id, 100)
    await aPeck(await aDuckling({ displayName: 'Erpel' }), target, { action: 'read:f100' })
    const { body } = await inbox(target, '?limit=1')
    expect(body.total).toBe(103)
    expect(body.actions).toHaveLength(100)
    expect(body.actions[0]).toEqual({ value: 'read:f100', label: 'read:f100', count: 2 })
    const offered = body.actions.map(({ value }: { value: string }) => value)
    const all = [
      'pay:invoice',
      'read:calendar',
      ...Array.from({ length: 100 }, (_, index) => `read:f${index + 1}`),
    ]
    const [rare, ...others] = all.filter((action) => !offered.includes(action))
    expect(others).toHaveLength(1)
    const chosen = (await inbox(target, `?action=${rare}`)).body
    expect(chosen).toMatchObject({ matching: 1, items: [{ action: rare }] })
    expect(chosen.actions).toEqual([...body.actions, { value: rare, label: rare, count: 1 }])
    expect(chosen.askers).toMatchObject([{ value: scout.agentId, count: 102 }, { count: 1 }])
  })

  it('selects by asker and by age', async () => {
    const { target, scout } = await aFullInbox()
    expect((await inbox(target, `?asker=${scout.agentId}&age=hour`)).body.matching).toBe(2)
    expect((await inbox(target, '?age=older')).body.matching).toBe(0)
    expect((await inbox(target, '?asker=AGNT-UNKNOWN')).body.matching).toBe(0)
  })

  it('leaves out decided pecks, pecks of blocked askers, and pecks of other people', async () => {
    const [target, blocked] = [await aDuckling(), await aDuckling()]
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: blocked.id } })
    await aPeck(blocked, target)
    const { peck_id } = await aPeck(await aDuckling(), target)
    await call('POST /beak/peck/reject', { token: target.token, body: { peck_id, reason: 'No' } })
    await aPeck(target, await aDuckling())
    expect((await inbox(target)).body).toMatchObject({ items: [], total: 0 })
  })
})

describe('400', () => {
  it.each(['?limit=0', '?limit=1001', '?risk=none', '?age=week', '?sort=name', '?other=1'])(
    'rejects %s',
    async (query) => {
      expect((await inbox(await aDuckling(), query)).status).toBe(400)
    },
  )
})
