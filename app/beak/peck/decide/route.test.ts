import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import type { Tier } from '@/lib/kernel/request/tier'

const decide = ({ token }: ADuckling, body: object) => call('POST /beak/peck/decide', { token, body })
const statusOf = async ({ token }: ADuckling, id: string) =>
  (await call(`GET /beak/peck/status?peck_id=${id}`, { token })).body

/** Returns kind and metadata of the refused attempts in the log of an account, oldest first. */
async function deniedOf({ id }: ADuckling) {
  const where = { ducklingId: id, outcome: 'denied' }
  const events = await db().auditEvent.findMany({ where, orderBy: { seq: 'asc' } })
  return events.map(({ action, metadata }) => [action, metadata])
}

/** Three pecks of an asker whom the target knows. */
async function threePecks(tier: Tier = 'T1') {
  const [asker, target] = [await aDuckling(), await aDuckling({ tier })]
  await anApprovedPeck(asker, target)
  const pecks = []
  for (const action of ['read:weather', 'read:notes', 'delete:database'])
    pecks.push((await aPeck(asker, target, { action })).peck_id)
  return { asker, target, pecks }
}

describe('200', () => {
  it('approves several pecks, each with a grant, and leaves out a high risk', async () => {
    const { asker, target, pecks } = await threePecks()
    const { body, status } = await decide(target, { decision: 'approve', peck_ids: pecks })
    expect(status).toBe(200)
    expect(body.items).toEqual([
      { peck_id: pecks[0], outcome: 'decided', status: 'approved' },
      { peck_id: pecks[1], outcome: 'decided', status: 'approved' },
      { peck_id: pecks[2], outcome: 'high_risk', status: 'pending' },
    ])
    for (const id of pecks.slice(0, 2))
      expect(await statusOf(asker, id)).toMatchObject({
        grant_status: 'active',
        grant_token: expect.any(String),
      })
  })

  // security: agent-9
  it('leaves out the first request of an asker, whatever its risk is', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await aPeck(asker, target, { action: 'read:calendar' })
    const { body } = await decide(target, { decision: 'approve', peck_ids: [peck_id] })
    expect(body.items).toEqual([{ peck_id, outcome: 'first_contact', status: 'pending' }])
    expect(await deniedOf(target)).toEqual([['peck.approved', { failure: 'first_contact', peck_id }]])
    await anApprovedPeck(asker, target)
    const after = await decide(target, { decision: 'approve', peck_ids: [peck_id] })
    expect(after.body.items[0].outcome).toBe('decided')
  })

  it('leaves out what can cost money more than once, which no sum of a list says', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(asker, target)
    const params = { amount: '€30.00', to: 'hoster@example.com' }
    const asked = { action: 'pay:invoice', params, grant_seconds: 3600 } as const
    const once = await aPeck(asker, target, { ...asked, scope: 'limited' })
    const often = await aPeck(asker, target, { ...asked, scope: 'timed' })
    const { body } = await decide(target, { decision: 'approve', peck_ids: [once.peck_id, often.peck_id] })
    expect(body.items).toMatchObject([
      { peck_id: once.peck_id, outcome: 'decided' },
      { peck_id: often.peck_id, outcome: 'page_needed', status: 'pending' },
    ])
  })

  it('rejects also a high risk, with the reason', async () => {
    const { asker, target, pecks } = await threePecks()
    const { body } = await decide(target, { decision: 'reject', peck_ids: pecks, reason: 'Not now' })
    expect(body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(3).fill('decided'))
    expect(await statusOf(asker, pecks[2] ?? '')).toMatchObject({ status: 'rejected', reason: 'Not now' })
  })

  it.each(['approve', 'reject'])(
    'stores what the pages displayed with each decision to %s',
    async (decision) => {
      const { target, pecks } = await threePecks()
      const details = await call(`GET /beak/peck/details?peck_ids=${pecks[0]}`, { token: target.token })
      await decide(target, { decision, peck_ids: [pecks[0]], reason: 'Not now' })
      const { displayed } = await db().peck.findUniqueOrThrow({ where: { id: pecks[0] ?? '' } })
      const { display } = details.body.items[0]
      const values = display.values.map(({ decides: _, ...value }: { decides?: true }) => value)
      expect(JSON.parse(displayed ?? '{}')).toEqual({ ...display, values, message: null })
    },
  )

  it('says which pecks were decided before, need a passkey, or are not the caller’s', async () => {
    const { asker, target, pecks } = await threePecks()
    await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id: pecks[0] } })
    const other = (await aPeck(target, asker)).peck_id
    const careful = await aDuckling()
    await call('POST /beak/profile/update', {
      token: careful.token,
      body: { require_passkey_for_pecks: true },
    })
    const guarded = (await aPeck(asker, careful)).peck_id
    const { body } = await decide(target, { decision: 'approve', peck_ids: [pecks[0], other, pecks[1]] })
    expect(body.items).toEqual([
      { peck_id: pecks[0], outcome: 'not_pending', status: 'cancelled' },
      { peck_id: other, outcome: 'missing', status: null },
      { peck_id: pecks[1], outcome: 'decided', status: 'approved' },
    ])
    const { body: needed } = await decide(careful, { decision: 'approve', peck_ids: [guarded] })
    expect(needed.items[0].outcome).toBe('passkey_needed')
  })

  it('records each refused peck as a denied event in the log of the caller only', async () => {
    const { asker, target, pecks } = await threePecks('T2')
    await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id: pecks[0] } })
    const other = (await aPeck(target, asker)).peck_id
    const guarded = (await aPeck(asker, target, { action: 'read:files', scope: 'standing' })).peck_id
    await decide(target, { decision: 'approve', peck_ids: [...pecks, other, guarded] })
    await decide(target, { decision: 'reject', peck_ids: [pecks[0]], reason: 'No' })
    expect(await deniedOf(target)).toEqual([
      ['peck.approved', { code: 'E4008', failure: 'peck_not_pending', peck_id: pecks[0] }],
      ['peck.approved', { failure: 'high_risk', peck_id: pecks[2] }],
      ['peck.approved', { code: 'E4005', failure: 'peck_not_found', peck_id: other }],
      ['peck.approved', { code: 'E4009', failure: 'passkey_assertion_needed', peck_id: guarded }],
      ['peck.rejected', { code: 'E4008', failure: 'peck_not_pending', peck_id: pecks[0] }],
    ])
    expect(await deniedOf(asker)).toEqual([])
  })

  it('leaves a medium risk to the decision page when a device that a person allowed decides', async () => {
    const { asker, target, pecks } = await threePecks()
    const medium = (await aPeck(asker, target, { action: 'send:email' })).peck_id
    await db().session.updateMany({ where: { ducklingId: target.id }, data: { amr: ['device'] } })
    const { body } = await decide(target, { decision: 'approve', peck_ids: [pecks[0], medium, pecks[2]] })
    expect(body.items.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'decided',
      'page_needed',
      'high_risk',
    ])
  })

  it('decides each peck once in 50 simultaneous calls', async () => {
    const { target, pecks } = await threePecks()
    const body = { decision: 'approve', peck_ids: pecks.slice(0, 2) }
    const answers = await Promise.all(Array.from({ length: 50 }, () => decide(target, body)))
    const outcomes = answers.flatMap((answer) => answer.body.items ?? [])
    expect(outcomes.filter(({ outcome }: { outcome: string }) => outcome === 'decided')).toHaveLength(2)
  })
})

describe('400', () => {
  it.each([
    { decision: 'approve', peck_ids: [] },
    { decision: 'reject', peck_ids: ['PECK-01JD0000000000000000000000'] },
    { decision: 'maybe', peck_ids: ['PECK-01JD0000000000000000000000'] },
  ])('rejects %j', async (body) => {
    expect((await decide(await aDuckling(), body)).status).toBe(400)
  })
})
