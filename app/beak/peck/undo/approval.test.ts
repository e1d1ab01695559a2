/** Approvals that are undone: the permission ends, and the request waits again in a new peck. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession } from '@/lib/fixtures/accounts'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
})

type Options = Parameters<typeof aPeck>[2]
const asTarget = (path: string, body: object, token = target.token) =>
  call(`POST /beak/${path}`, { token, body })
const undo = (peck_id: string, token = target.token) => asTarget('peck/undo', { peck_id }, token)
const statusFor = async (peckId: string, who: object) =>
  (await call(`GET /beak/peck/status?peck_id=${peckId}`, who)).body
const asAgent = (peckId: string) => statusFor(peckId, { key: agent.beakKey })
const inbox = async () => (await call('GET /beak/peck/inbox', { token: target.token })).body.items
const historyOf = (action = 'read:calendar') =>
  db().askerHistory.findFirst({ where: { targetDucklingId: target.id, askerId: agent.agentId, action } })
const rowOf = (id: string) => db().peck.findUniqueOrThrow({ where: { id } })

const ask = (options: Options = {}) =>
  aPeck(agent, target, { action: 'read:calendar', params: { week: 1 }, ...options })

/** Returns the id and the grant token of a request that the target approved. */
async function approved(options: Options = {}): Promise<{ id: string; token: string }> {
  const { peck_id: id } = await ask(options)
  const { status } = await asTarget('peck/approve', { peck_id: id })
  expect(status).toBe(200)
  return { id, token: (await asAgent(id)).grant_token }
}
const consume = (grant_token: string, params: object = { week: 1 }) =>
  call('POST /beak/peck/consume', { body: { grant_token, params } })

/** Moves the approval into the past. */
const age = (id: string, seconds: number) =>
  db().peck.update({ where: { id }, data: { decidedAt: secondsAfter(new Date(), -seconds) } })

describe('an undone approval', () => {
  it('revokes the permission for ever, and asks the same again until the same end', async () => {
    const options = {
      message: 'For the offsite',
      expiresIn: 3600,
      grantExpiresIn: 600,
      audience: 'shop.example',
    }
    const { id, token } = await approved({ ...options, paramTypes: { week: 'text' } })
    const before = await asAgent(id)
    const { status, body } = await undo(id)
    expect([status, body.status, body.grant_status, body.uses]).toEqual([200, 'approved', 'revoked', 0])
    const again = await asAgent(body.superseded_by)
    const kept = [
      ...['action', 'scope', 'params', 'params_hash', 'param_types', 'message', 'audience', 'expires_at'],
      'requester',
    ]
    for (const name of kept) expect([name, again[name]]).toEqual([name, before[name]])
    expect(again).toMatchObject({ status: 'pending', grant_status: null, supersedes: id, uses: 0 })
    expect(again.created_at > before.created_at).toBe(true)
    expect((await rowOf(again.peck_id)).grantSeconds).toBe(600)
    expect(await asAgent(id)).toMatchObject({
      status: 'approved',
      grant_status: 'revoked',
      superseded_by: again.peck_id,
    })
    expect((await asAgent(id)).grant_token).toBeUndefined()
    expect(await consume(token)).toMatchObject({ status: 409, body: { current_status: 'revoked' } })
    expect((await inbox()).map(({ peck_id }: { peck_id: string }) => peck_id)).toEqual([again.peck_id])
    await asTarget('peck/approve', { peck_id: again.peck_id })
    expect(await consume(token)).toMatchObject({ status: 409 })
    const fresh = (await asAgent(again.peck_id)).grant_token
    expect((await consume(fresh)).status).toBe(200)
  })

  it('is told to both sides in one event, and to nobody else', async () => {
    const { id } = await approved()
    const { superseded_by } = (await undo(id)).body
    for (const ducklingId of [operator.id, target.id]) {
      const [event, ...others] = await db().auditEvent.findMany({
        where: { ducklingId, action: 'peck.revoked' },
      })
      expect(others).toEqual([])
      expect(event?.metadata).toMatchObject({ cause: 'undone', superseded_by })
      expect(event?.targets).toContainEqual({ type: 'peck', id: superseded_by })
      expect(await db().auditEvent.count({ where: { ducklingId, action: 'peck.sent' } })).toBe(1)
    }
    const [stranger, sibling] = [await aDuckling(), await anAgent(operator)]
    for (const who of [{ token: stranger.token }, { key: sibling.beakKey }])
      for (const peckId of [id, superseded_by])
        expect((await call(`GET /beak/peck/status?peck_id=${peckId}`, who)).status).toBe(404)
  })

  // security: mail-5
  it('counts in no history: the asker is as unknown as before', async () => {
    const { id } = await approved()
    expect(await historyOf()).toMatchObject({ asked: 1, approved: 1 })
    const risk = (await statusFor(id, { token: target.token })).risk
    const { superseded_by } = (await undo(id)).body
    expect(await historyOf()).toMatchObject({ asked: 1, approved: 0, approvedAt: null, approvedParams: null })
    expect((await statusFor(superseded_by, { token: target.token })).risk).toEqual(risk)
    const bulk = await asTarget('peck/decide', { decision: 'approve', peck_ids: [superseded_by] })
    expect(bulk.body.items).toMatchObject([{ outcome: 'first_contact' }])
    const card = await call(`GET /beak/peck/asker?asker=${agent.agentId}`, { token: target.token })
    expect(card.body).toMatchObject({ approved: 0, revoked: 0, decisions: [] })
  })

  // security: mail-5
  it('makes what its asker sent meanwhile a first contact', async () => {
    const { id } = await approved()
    const { peck_id: meanwhile } = await ask({ params: { week: 2 } })
    expect((await inbox())[0]).toMatchObject({ peck_id: meanwhile, first_contact: false })
    await undo(id)
    const bulk = await asTarget('peck/decide', { decision: 'approve', peck_ids: [meanwhile] })
    expect(bulk.body.items).toMatchObject([{ outcome: 'first_contact' }])
    const waiting = (await inbox()).filter(({ peck_id }: { peck_id: string }) => peck_id === meanwhile)
    expect(waiting).toMatchObject([{ first_contact: true }])
  })

  it('leaves what was approved before as the last time', async () => {
    const first = await approved({ params: { week: 1 } })
    await age(first.id, 60)
    const second = await approved({ params: { week: 2 } })
    await undo(second.id)
    const history = await historyOf()
    expect(history).toMatchObject({ asked: 2, approved: 1 })
    expect(JSON.parse(history?.approvedParams ?? '')).toEqual({ week: 1 })
  })

  it('costs the asker nothing: no budget, no pause, and an identical request is the same one', async () => {
    const { id } = await approved()
    const budget = () => db().budget.findMany({ where: { key: `${operator.id} ${target.id}` } })
    const before = await budget()
    const { superseded_by } = (await undo(id)).body
    expect(await budget()).toEqual(before)
    expect(await ask()).toMatchObject({ peck_id: superseded_by, repeated: true })
  })

  it('is announced to nobody again, and the reminder of the old request becomes the reminder of the new one', async () => {
    await acquaint(target, agent.agentId)
    const { id } = await approved()
    const outbox = () =>
      db().outbox.count({ where: { payload: { path: ['peck_id'], string_contains: 'PECK-' } } })
    const [mail] = await db().peckMail.findMany({ where: { ducklingId: target.id } })
    const before = await outbox()
    const { superseded_by } = (await undo(id)).body
    expect(await outbox()).toBe(before)
    const after = await db().peckMail.findMany({ where: { ducklingId: target.id } })
    expect(after).toEqual([{ ...mail, peckId: superseded_by }])
  })

  it('leaves only the reminder when the request still waited for a mail about high risks', async () => {
    await acquaint(target, agent.agentId)
    const { id } = await approved()
    const where = { ducklingId: target.id }
    await db().peckMail.updateMany({ where, data: { stage: 'alert', mailId: null } })
    const { superseded_by } = (await undo(id)).body
    expect(await db().peckMail.findMany({ where })).toMatchObject([
      { peckId: superseded_by, stage: 'announced' },
    ])
  })

  it('brings the request back when its mail is gone, and plans none', async () => {
    const { id } = await approved()
    const where = { ducklingId: target.id }
    await db().peckMail.deleteMany({ where })
    const { superseded_by } = (await undo(id)).body
    expect(await inbox()).toMatchObject([{ peck_id: superseded_by }])
    expect(await db().peckMail.count({ where })).toBe(0)
  })

  it('takes the place of a request that the asker has sent again meanwhile', async () => {
    const { id } = await approved()
    const repeated = await ask()
    expect((await undo(id)).body.superseded_by).toBe(repeated.peck_id)
    expect(await inbox()).toHaveLength(1)
  })
})

describe('undo of an approval', () => {
  it('answers a second call with the same, and asks only once', async () => {
    const { id } = await approved()
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.superseded_by}`)).size).toBe(1)
    expect(await inbox()).toHaveLength(1)
    expect(await historyOf()).toMatchObject({ approved: 0 })
  })

  it.each(['limited', 'timed'] as const)(
    'and 50 simultaneous uses of a %s permission: either it was used and is not asked again, or it was never used',
    async (scope) => {
      const { id, token } = await approved({ scope })
      const [undone, ...uses] = await Promise.all([
        undo(id),
        ...Array.from({ length: 50 }, () => consume(token)),
      ])
      const used = uses.filter(({ status }) => status === 200).length
      const row = await rowOf(id)
      expect(row.uses).toBe(used)
      expect(row.supersededBy === null).toBe(used > 0)
      expect(await inbox()).toHaveLength(used > 0 ? 0 : 1)
      if (scope === 'timed') expect(undone).toMatchObject({ status: 200, body: { uses: used } })
      else expect(undone?.status).toBe(used > 0 ? 409 : 200)
      expect((await consume(token)).status).toBe(409)
    },
  )

  it('revokes a permission that was used and not used up, and does not ask again', async () => {
    const { id, token } = await approved({ scope: 'timed' })
    await consume(token)
    const { status, body } = await undo(id)
    expect([status, body.grant_status, body.uses, body.superseded_by]).toEqual([200, 'revoked', 1, undefined])
    expect(await inbox()).toEqual([])
  })

  it('is 409 for a permission that was used up, has ended, or was given too long ago', async () => {
    const used = await approved()
    await consume(used.token)
    expect((await undo(used.id)).body).toMatchObject({
      reason: 'grant_not_active',
      current_status: 'consumed',
    })
    const revoked = await approved({ params: { week: 2 } })
    await asTarget('peck/revoke', { peck_id: revoked.id })
    expect((await undo(revoked.id)).body).toMatchObject({
      reason: 'grant_not_active',
      current_status: 'revoked',
    })
    const late = await approved({ params: { week: 3 } })
    await age(late.id, 31)
    expect((await undo(late.id)).body.reason).toBe('nothing_to_undo')
    expect(await inbox()).toEqual([])
    expect((await consume(late.token, { week: 3 })).status).toBe(200)
  })

  it('only revokes when the time to answer the request is over', async () => {
    const { id } = await approved()
    await db().peck.update({ where: { id }, data: { expiresAt: secondsAfter(new Date(), -1) } })
    const { status, body } = await undo(id)
    expect([status, body.grant_status, body.superseded_by]).toEqual([200, 'revoked', undefined])
    expect(await inbox()).toEqual([])
  })

  it('is not for the asker', async () => {
    const { id, token } = await approved()
    expect((await undo(id, operator.token)).body.reason).toBe('not_the_target')
    expect((await consume(token)).status).toBe(200)
  })

  it('hides the new request of an asker whom the target has blocked meanwhile, as any other', async () => {
    const { id } = await approved()
    await asTarget('peck/block', { duckling_id: operator.id })
    const { status, body } = await undo(id)
    expect([status, body.grant_status, body.superseded_by]).toEqual([200, 'revoked', undefined])
    expect(await inbox()).toEqual([])
    const { superseded_by } = await asAgent(id)
    expect(await asAgent(superseded_by)).toMatchObject({ status: 'pending' })
    await asTarget('peck/unblock', { duckling_id: operator.id })
    expect(await inbox()).toMatchObject([{ peck_id: superseded_by }])
  })

  it('brings nothing back for an agent that was deregistered, also at the same time', async () => {
    const { id } = await approved()
    const [undone] = await Promise.all([
      undo(id),
      deregisterAgent(await operator.context(), agent.agentId).catch(() => null),
    ])
    expect([200, 409]).toContain(undone.status)
    expect(await db().peck.count({ where: { askerId: agent.agentId, status: 'pending' } })).toBe(0)
  })

  // security: mail-5
  it('gives a thief of the session nothing: a signed approval needs the passkey again', async () => {
    const { authenticator } = await aPasskey(target)
    const { peck_id } = await ask({ terms: { requireSigned: true, challenge: null, codeHash: null } })
    const options = await asTarget('passkey/challenge', { purpose: 'approve', peck_id })
    const passkey = authenticator.get(options.body)
    expect((await asTarget('peck/approve', { peck_id, passkey })).status).toBe(200)
    const thief = await anotherSession(target)
    const { superseded_by } = (await undo(peck_id, thief)).body
    for (const body of [{ peck_id: superseded_by }, { peck_id: superseded_by, passkey }])
      expect([401, 403]).toContain((await asTarget('peck/approve', body, thief)).status)
    expect((await asAgent(superseded_by)).status).toBe('pending')
  })
})

describe('a rule of the target', () => {
  // security: mail-5
  it('does not answer what the person undid, and its own approvals are not undone here', async () => {
    const owner = await aDuckling({ tier: 'T2' })
    const passkey = await aPasskey(owner)
    await acquaint(owner, agent.agentId)
    const pay = () =>
      aPeck(agent, owner, { action: 'pay:invoice', params: { amount: '€38.00', to: 'shop@example.com' } })
    const { peck_id } = await pay()
    const token = owner.token
    await asTarget('peck/approve', { peck_id }, token)
    await aRule(owner, passkey.authenticator, shopRule(agent.agentId))
    const { superseded_by } = (await undo(peck_id, token)).body
    expect(await asAgent(superseded_by)).toMatchObject({ status: 'pending' })
    expect(await pay()).toMatchObject({ peck_id: superseded_by, repeated: true, status: 'pending' })
    await asTarget('peck/reject', { peck_id: superseded_by, reason: 'No', unclear: true }, token)
    const ruled = await pay()
    expect(ruled.decided_by).toBeDefined()
    expect((await undo(ruled.peck_id, token)).body.reason).toBe('nothing_to_undo')
  })
})
