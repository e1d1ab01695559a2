import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'

let operator: ADuckling
let target: ADuckling
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
})

const revokeAll = ({ token }: ADuckling, asker: string) =>
  call('POST /beak/peck/revoke-all', { token, body: { asker } })
const consume = (grant_token: string) => call('POST /beak/peck/consume', { body: { grant_token } })
const statusOf = async ({ token }: ADuckling, id: string) =>
  (await call(`GET /beak/peck/status?peck_id=${id}`, { token })).body
const revocationsOf = (ducklingId: string) =>
  db().auditEvent.count({ where: { ducklingId, action: 'peck.revoked' } })

describe('200', () => {
  it('revokes every active permission of an agent and says how often each had been used', async () => {
    const agent = await anAgent(operator)
    const used = await anApprovedPeck(agent, target, { scope: 'timed' })
    const unused = await anApprovedPeck(agent, target, { action: 'read:cert' })
    await consume(used.grant_token)
    const { status, body } = await revokeAll(target, agent.agentId)
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [
        { peck_id: used.peck_id, action: 'read:profile', uses: 1, last_used_at: expect.any(String) },
        { peck_id: unused.peck_id, action: 'read:cert', uses: 0, last_used_at: null },
      ],
      has_more: false,
    })
    for (const { peck_id, grant_token } of [used, unused]) {
      expect(await consume(grant_token)).toMatchObject({ status: 409, body: { current_status: 'revoked' } })
      expect((await statusOf(target, peck_id)).grant_status).toBe('revoked')
    }
  })

  it('writes an event for each permission in both logs', async () => {
    for (const action of ['read:profile', 'read:cert']) await anApprovedPeck(operator, target, { action })
    await revokeAll(target, operator.id)
    expect(await revocationsOf(operator.id)).toBe(2)
    expect(await revocationsOf(target.id)).toBe(2)
  })

  it('leaves pending, ended and other permissions as they are', async () => {
    const [agent, sister, other] = [await anAgent(operator), await anAgent(operator), await aDuckling()]
    const left = [
      await anApprovedPeck(sister, target),
      await anApprovedPeck(operator, target),
      await anApprovedPeck(agent, other),
    ]
    const spent = await anApprovedPeck(agent, target)
    await consume(spent.grant_token)
    const over = await anApprovedPeck(agent, target, { action: 'a:over' })
    await db().peck.update({ where: { id: over.peck_id }, data: { grantExpiresAt: new Date() } })
    const waiting = await aPeck(agent, target, { action: 'a:waiting' })
    expect((await revokeAll(target, agent.agentId)).body).toEqual({ items: [], has_more: false })
    for (const { grant_token } of left) expect((await consume(grant_token)).status).toBe(200)
    expect((await statusOf(target, spent.peck_id)).grant_status).toBe('consumed')
    expect((await statusOf(target, over.peck_id)).grant_status).toBe('expired')
    expect((await statusOf(target, waiting.peck_id)).status).toBe('pending')
    expect(await revocationsOf(target.id)).toBe(0)
  })

  it('revokes none of a permission that the asker gave the caller', async () => {
    const given = await anApprovedPeck(target, operator)
    expect((await revokeAll(target, operator.id)).body.items).toEqual([])
    expect((await consume(given.grant_token)).status).toBe(200)
  })

  it('revokes 1,000 permissions at once and says that more are left', async () => {
    const agent = await anAgent(operator)
    const { peck_id } = await anApprovedPeck(agent, target, { scope: 'timed' })
    await db().run`
      INSERT INTO "Peck" ("id", "requesterDucklingId", "requesterAgentId", "askerId", "targetDucklingId", "action", "scope", "params",
        "paramsHash", "status", "createdAt", "expiresAt", "decidedAt", "grantExpiresAt")
      SELECT "id" || 'Z' || lpad(n::text, 4, '0'), "requesterDucklingId", "requesterAgentId", "askerId", "targetDucklingId", "action", "scope", "params",
        "paramsHash", "status", "createdAt", "expiresAt", "decidedAt", "grantExpiresAt"
      FROM "Peck", generate_series(1, 1001) AS n WHERE "id" = ${peck_id}`
    const first = (await revokeAll(target, agent.agentId)).body
    expect([first.items.length, first.has_more]).toEqual([1000, true])
    const second = (await revokeAll(target, agent.agentId)).body
    expect([second.items.length, second.has_more]).toEqual([2, false])
    expect(await revocationsOf(target.id)).toBe(1002)
  })
})

describe('at the same time as a use', () => {
  it('either counts the use or makes it fail', async () => {
    const tokens = new Map<string, string>()
    for (let index = 0; index < 8; index++) {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target, { action: `read:n${index}` })
      tokens.set(peck_id, grant_token)
    }
    const [answer, ...uses] = await Promise.all([
      ...[revokeAll(target, operator.id)],
      ...[...tokens.values()].map(consume),
    ])
    const revoked: string[] = answer?.body.items.map(({ peck_id }: { peck_id: string }) => peck_id) ?? []
    for (const [index, id] of [...tokens.keys()].entries()) {
      const isUsed = uses[index]?.status === 200
      expect(isUsed).toBe(!revoked.includes(id))
      expect((await statusOf(target, id)).grant_status).toBe(isUsed ? 'consumed' : 'revoked')
    }
  })

  it('counts every use of a permission for a time that came before', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    const [answer, ...uses] = await Promise.all([
      ...[revokeAll(target, operator.id)],
      ...Array.from({ length: 20 }, () => consume(grant_token)),
    ])
    const used = uses.filter(({ status }) => status === 200).length
    expect(answer?.body.items).toMatchObject([{ peck_id, uses: used }])
  })

  it('revokes each permission once in 50 simultaneous calls', async () => {
    await anApprovedPeck(operator, target)
    const answers = await Promise.all(Array.from({ length: 50 }, () => revokeAll(target, operator.id)))
    expect(answers.flatMap(({ body }) => body.items)).toHaveLength(1)
    expect(await revocationsOf(target.id)).toBe(1)
  })

  it('revokes once in 50 simultaneous calls with uses in between, and lists every use that came before', async () => {
    const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const [revoked, used] = await Promise.all([
          revokeAll(target, operator.id),
          ...(index % 5 === 0 ? [consume(grant_token)] : []),
        ])
        return { revoked: revoked.body.items, isUsed: used?.status === 200 }
      }),
    )
    const uses = answers.filter(({ isUsed }) => isUsed).length
    expect(answers.flatMap(({ revoked }) => revoked)).toMatchObject([{ peck_id, uses }])
    expect(await revocationsOf(target.id)).toBe(1)
    expect(await db().peckUse.count({ where: { peckId: peck_id } })).toBe(uses)
    expect((await consume(grant_token)).body.current_status).toBe('revoked')
  })

  it('revokes nothing for a stranger, however often', async () => {
    const { grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
    const stranger = await aDuckling()
    for (const { body } of await Promise.all(
      [stranger, operator].map((thief) => revokeAll(thief, operator.id)),
    ))
      expect(body).toEqual({ items: [], has_more: false })
    expect((await consume(grant_token)).status).toBe(200)
  })
})

describe('400', () => {
  it.each([{}, { asker: 'me' }, { asker: 'PECK-01JD0000000000000000000000' }])('rejects %j', async (body) => {
    const answer = await call('POST /beak/peck/revoke-all', { token: target.token, body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'E4000', errors: [{ field: 'asker' }] } })
  })
})
