import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

const card = ({ token }: ADuckling, asker: string) => call(`GET /beak/peck/asker?asker=${asker}`, { token })
const decide = (target: ADuckling, verb: 'reject' | 'revoke', peck_id: string) =>
  call(`POST /beak/peck/${verb}`, {
    token: target.token,
    body: { peck_id, ...(verb === 'reject' ? { reason: 'No' } : {}) },
  })
const block = ({ token }: ADuckling, { id }: ADuckling) =>
  call('POST /beak/peck/block', { token, body: { duckling_id: id } })

describe('200', () => {
  it('has the person, the agents that asked, and the decisions of the caller, for the agent and for the person', async () => {
    const [operator, target] = [await aDuckling(), await aDuckling()]
    const handle = `teal${operator.id.slice(-8).toLowerCase()}`
    await db().duckling.update({ where: { id: operator.id }, data: { fullName: 'Anna Weber', handle } })
    const [scout, courier] = [await anAgent(operator), await anAgent(operator)]
    const kept = await anApprovedPeck(scout, target, { action: 'read:calendar' })
    const revoked = await anApprovedPeck(courier, target, { action: 'read:notes' })
    await decide(target, 'revoke', revoked.peck_id)
    const rejected = await aPeck(operator, target, { action: 'read:mail' })
    await decide(target, 'reject', rejected.peck_id)
    const silent = await anAgent(operator)
    const { status, body } = await card(target, scout.agentId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      person: {
        duckling_id: operator.id,
        display_name: operator.displayName,
        full_name: 'Anna Weber',
        handle,
        trust_tier: 'T1',
        member_since: expect.any(String),
        cert_id: null,
        listed: true,
      },
      approved: 2,
      rejected: 1,
      revoked: 1,
      counted_all: true,
      last_asked_at: expect.any(String),
      blocked_at: null,
      paused_until: expect.any(String),
    })
    expect(body.decisions.map(({ peck_id, outcome }: Record<string, string>) => [peck_id, outcome])).toEqual([
      [rejected.peck_id, 'rejected'],
      [revoked.peck_id, 'revoked'],
      [kept.peck_id, 'approved'],
    ])
    const agents = body.agents.map(({ agent_id, asked, approved }: Record<string, unknown>) => [
      agent_id,
      asked,
      approved,
    ])
    expect(agents).toEqual([
      [courier.agentId, 1, 1],
      [scout.agentId, 1, 1],
    ])
    expect((await card(target, operator.id)).body).toEqual(body)
    expect((await card(target, silent.agentId)).status).toBe(404)
  })

  // security: asker-11
  it('shows when the caller blocked the person, and no request that the block hides', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(asker, target)
    await block(target, asker)
    const seen = (await card(target, asker.id)).body
    await aPeck(asker, target, { action: 'read:secrets' })
    const { body } = await card(target, asker.id)
    expect(body.blocked_at).toEqual(expect.any(String))
    expect(body).toEqual(seen)
  })

  it('counts the newest 200 requests, and lists the newest ten decisions', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id } = await anApprovedPeck(asker, target)
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "askerId", "targetDucklingId", "action", "scope", "params", "paramsHash", "status",
        "createdAt", "expiresAt", "decidedAt", "grantExpiresAt", "uses")
      SELECT p."id" || lpad(n::text, 4, '0'), p."requesterDucklingId", p."askerId", p."targetDucklingId", p."action", p."scope", p."params",
        p."paramsHash", p."status", p."createdAt", p."expiresAt", p."decidedAt" + n * interval '1 second', p."grantExpiresAt", 0
      FROM "Peck" p, generate_series(1, 200) n WHERE p."id" = ${peck_id}`
    const { body } = await card(target, asker.id)
    expect(body).toMatchObject({ approved: 200, counted_all: false })
    expect(body.decisions.map((decision: { peck_id: string }) => decision.peck_id.slice(-4))).toEqual(
      Array.from({ length: 10 }, (_, index) => String(200 - index).padStart(4, '0')),
    )
  })
})

describe('a rejection that the worker has not written yet', () => {
  it('counts, and the card says how long it pauses requests', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id: id } = await aPeck(asker, target)
    await call('POST /beak/peck/reject', {
      token: target.token,
      body: { peck_id: id, reason: 'No', undo_seconds: 10 },
    })
    expect((await card(target, asker.id)).body).toMatchObject({ rejected: 0, paused_until: null })
    const rejectAt = secondsAfter(readClock(), -1)
    await db().peck.update({ where: { id }, data: { rejectAt } })
    const { body } = await card(target, asker.id)
    expect(body).toMatchObject({
      rejected: 1,
      decisions: [{ peck_id: id, outcome: 'rejected', at: rejectAt.toISOString() }],
      paused_until: secondsAfter(rejectAt, hour).toISOString(),
    })
    const details = await call(`GET /beak/peck/details?peck_ids=${id}`, { token: target.token })
    expect(details.body.items[0].asker_history.used).toBeNull()
  })
})

describe('400', () => {
  it.each(['', '?asker=', '?asker=PECK-1', '?asker=me&who=you'])('rejects the query "%s"', async (query) => {
    const { token } = await aDuckling()
    expect((await call(`GET /beak/peck/asker${query}`, { token })).status).toBe(400)
  })
})

describe('404', () => {
  // security: asker-11
  it('answers alike for an unknown id, for somebody who never asked, and for a blocked stranger whose request is hidden', async () => {
    const [asker, stranger, target] = [await aDuckling(), await aDuckling(), await aDuckling()]
    await block(target, asker)
    await aPeck(asker, target)
    await aPeck(stranger, asker)
    const answers = await Promise.all(
      [`DUCK-${'0'.repeat(26)}`, `AGT-${'0'.repeat(26)}`, stranger.id, asker.id].map((id) =>
        card(target, id),
      ),
    )
    expect(answers.map(({ status, body }) => [status, body.reason])).toEqual(
      answers.map(() => [404, 'asker_not_found']),
    )
  })

  // security: asker-11
  it('shows the asker nothing of the target', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    await anApprovedPeck(asker, target)
    expect((await card(asker, target.id)).status).toBe(404)
  })
})
