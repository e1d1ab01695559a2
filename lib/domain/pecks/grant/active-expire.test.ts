/** Permissions that end by their time: both sides are told, once. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck } from '@/lib/factories/pecks'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { expireGrants } from './active'

let owner: ADuckling
let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  owner = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(owner)
})

const ended = ['peck.consumed', 'peck.revoked', 'peck.grant_expired']
const asTarget = (path: string, body: object) =>
  call(`POST /beak/peck/${path}`, { token: target.token, body })
const consume = (grant_token: string) => call('POST /beak/peck/consume', { body: { grant_token } })
const statusOf = async (peckId: string) =>
  (await call(`GET /beak/peck/status?peck_id=${peckId}`, { key: agent.beakKey })).body.grant_status
const rowOf = (id: string) => db().peck.findUniqueOrThrow({ where: { id } })

/** Returns what a person was told about how permissions went on, in the log and by webhooks. */
async function newsOf({ id: ducklingId }: ADuckling): Promise<{ events: string[]; messages: unknown[] }> {
  const events = await db().auditEvent.findMany({
    where: { ducklingId, action: { in: ended }, outcome: 'success' },
    orderBy: { seq: 'asc' },
  })
  const messages = await db().webhookMessage.findMany({ where: { ducklingId }, orderBy: { id: 'asc' } })
  return { events: events.map(({ action }) => action), messages: messages.map(({ data }) => data) }
}

/** Lets a permission end a second ago. */
const endNow = (id: string) =>
  db().peck.update({ where: { id }, data: { grantExpiresAt: secondsAfter(readClock(), -1) } })

async function anEndedPermission(options: Parameters<typeof anApprovedPeck>[2] = {}): Promise<string> {
  const { peck_id } = await anApprovedPeck(agent, target, options)
  await endNow(peck_id)
  return peck_id
}

describe('the end of a permission by its time', () => {
  it('is told to asker and target once, by 50 simultaneous runs and by later ones', async () => {
    const stranger = await aDuckling()
    for (const who of [owner, target, stranger])
      await aWebhook('https://example.com/ends', { owner: who, kinds: ['peck.grant_expired'] })
    const id = await anEndedPermission()
    const now = readClock()
    await Promise.all(Array.from({ length: 50 }, () => expireGrants(now)))
    await expireGrants(readClock())
    for (const side of [owner, target])
      expect(await newsOf(side)).toMatchObject({
        events: ['peck.grant_expired'],
        messages: [{ peck_id: id, status: 'approved', grant_status: 'expired', uses: 0 }],
      })
    expect(await newsOf(stranger)).toEqual({ events: [], messages: [] })
    const event = await db().auditEvent.findFirstOrThrow({
      where: { ducklingId: target.id, action: 'peck.grant_expired' },
    })
    expect(event).toMatchObject({ actorType: 'system', actorId: null, ip: null })
  })

  it('is told of a permission that was partly used', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(agent, target, { scope: 'timed' })
    expect((await consume(grant_token)).status).toBe(200)
    await endNow(peck_id)
    await expireGrants(readClock())
    expect((await newsOf(target)).events).toEqual(['peck.consumed', 'peck.grant_expired'])
  })

  it('is not told of a permission that was used up or revoked before', async () => {
    const used = await anApprovedPeck(agent, target)
    await consume(used.grant_token)
    const revoked = await anApprovedPeck(agent, target, { action: 'read:mail' })
    await asTarget('revoke', { peck_id: revoked.peck_id })
    for (const { peck_id } of [used, revoked]) await endNow(peck_id)
    await expireGrants(readClock())
    expect((await newsOf(target)).events).toEqual(['peck.consumed', 'peck.revoked'])
    expect(await statusOf(used.peck_id)).toBe('consumed')
    expect(await statusOf(revoked.peck_id)).toBe('revoked')
    // The worker does not look at it again.
    expect((await rowOf(used.peck_id)).grantEndHandled).toBe(true)
  })

  it('is not told of a permission that ended with its agent', async () => {
    const { peck_id } = await anApprovedPeck(agent, target, { scope: 'timed' })
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agent.agentId } })
    await endNow(peck_id)
    await expireGrants(readClock())
    expect((await newsOf(target)).events).toEqual(['peck.revoked'])
  })

  it('is not told of a permission that lasts, nor of a test request', async () => {
    const timed = await anApprovedPeck(agent, target, { scope: 'timed', grantExpiresIn: 60 })
    const { body: test } = await call('POST /beak/agent/test-request', {
      token: owner.token,
      body: { agent_id: agent.agentId },
    })
    await call('POST /beak/peck/approve', { token: owner.token, body: { peck_id: test.peck_id } })
    await expireGrants(readClock())
    for (const side of [owner, target]) expect((await newsOf(side)).events).toEqual([])
    expect(await statusOf(timed.peck_id)).toBe('active')
    expect((await consume(timed.grant_token)).status).toBe(200)
  })

  it('comes after every use that succeeds: of 50 simultaneous uses and the worker, one comes first', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(agent, target)
    // The clock of this worker is ahead of the clock of the uses.
    const ahead = secondsAfter(readClock(), 3600)
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: ahead } })
    const [, ...uses] = await Promise.all([
      expireGrants(ahead),
      ...Array.from({ length: 50 }, () => consume(grant_token)),
    ])
    const isUsed = uses.some(({ status }) => status === 200)
    expect((await newsOf(target)).events).toEqual([isUsed ? 'peck.consumed' : 'peck.grant_expired'])
    expect((await consume(grant_token)).body.current_status).toBe(isUsed ? 'consumed' : 'expired')
  })

  it('stays the end for every later call, also by a clock that is behind', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(agent, target, { scope: 'timed' })
    const ahead = secondsAfter(readClock(), 3600)
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: ahead } })
    await expireGrants(ahead)
    expect(await statusOf(peck_id)).toBe('expired')
    expect(await consume(grant_token)).toMatchObject({ status: 409, body: { current_status: 'expired' } })
    expect((await asTarget('revoke', { peck_id })).body.current_status).toBe('expired')
    const all = await asTarget('revoke-all', { asker: agent.agentId })
    expect(all.body.items).toEqual([])
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id: agent.agentId } })
    await call('POST /beak/account/delete', { token: owner.token, body: {} })
    expect((await newsOf(target)).events).toEqual(['peck.grant_expired'])
  })

  it('is told of more permissions than the worker reads at once', async () => {
    const id = await anEndedPermission()
    const { approval: _, heldRejection: __, wouldApprove: ___, ...columns } = await rowOf(id)
    await db().peck.createMany({
      data: Array.from({ length: 220 }, (_unused, index) => ({
        ...columns,
        id: `${id}${String(index).padStart(4, '0')}`,
        uses: index % 2,
      })),
    })
    await expireGrants(readClock())
    expect((await newsOf(target)).events).toHaveLength(111)
    expect(await db().peck.count({ where: { askerId: agent.agentId, grantEndHandled: false } })).toBe(0)
  })
})
