/** Rejections that can be undone. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { finishRejections } from '@/lib/domain/pecks/decide/held-rejections'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
let peckId: string
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
  peckId = (await aPeck(agent, target)).peck_id
})

const reject = (body: object = {}, token = target.token) =>
  call('POST /beak/peck/reject', {
    token,
    body: { peck_id: peckId, reason: 'Not mine', undo_seconds: 10, ...body },
  })
const undo = (who: object = { token: target.token }) =>
  call('POST /beak/peck/undo', { ...who, body: { peck_id: peckId } })
const seenBy = async (who: object) =>
  (await call(`GET /beak/peck/status?peck_id=${peckId}`, who)).body as Record<string, unknown>
const asAgent = () => seenBy({ key: agent.beakKey })
const events = (action = 'peck.rejected') =>
  db().auditEvent.findMany({ where: { action, ducklingId: { in: [operator.id, target.id] } } })
/** Moves the end of the time to undo into the past. The worker has not run yet. */
async function endTime(): Promise<Date> {
  const rejectAt = secondsAfter(new Date(), -1)
  await db().peck.update({ where: { id: peckId }, data: { rejectAt } })
  return rejectAt
}
const later = () => finishRejections(secondsAfter(new Date(), 11))
const ask = () =>
  call('POST /beak/peck/request', {
    key: agent.beakKey,
    body: { target_duckling_id: target.id, action: 'read:profile', scope: 'limited', params: { again: 1 } },
  })

describe('a rejection with undo_seconds', () => {
  it('is pending for both sides, without an event, a webhook or a pause, until its time is over', async () => {
    const before = await asAgent()
    const { status, body } = await reject()
    expect([status, body.status, body.reason, body.decided_at]).toEqual([200, 'pending', null, null])
    expect(Date.parse(body.undo_until) - Date.now()).toBeGreaterThan(8000)
    expect(await asAgent()).toEqual(before)
    expect((await seenBy({ token: operator.token })).undo_until).toBeUndefined()
    expect(await events()).toEqual([])
    expect((await call(`GET /beak/peck/outcome?peck_id=${peckId}`, { key: agent.beakKey })).body.reason).toBe(
      'peck_undecided',
    )
    expect((await ask()).status).toBe(200)
    const inbox = await call('GET /beak/peck/inbox', { token: target.token })
    expect(inbox.body.items.map(({ peck_id }: { peck_id: string }) => peck_id)).not.toContain(peckId)
  })

  it('takes effect without another call, at its time, with one event for each side and the address of the target', async () => {
    const { body } = await reject({ reason: 'Ask less' })
    await later()
    await later()
    const seen = await asAgent()
    expect([seen.status, seen.reason, seen.decided_at]).toEqual(['rejected', 'Ask less', body.undo_until])
    const recorded = await events()
    expect(recorded.map(({ ducklingId }) => ducklingId).sort()).toEqual([operator.id, target.id].sort())
    expect(recorded.find(({ ducklingId }) => ducklingId === operator.id)?.ip).toBeNull()
    expect(recorded.every(({ actorId }) => actorId === target.id)).toBe(true)
    const row = await db().peck.findUniqueOrThrow({ where: { id: peckId } })
    expect([row.rejectAt, row.heldRejection, row.pendingKey]).toEqual([null, null, null])
    expect(row.displayed).not.toBeNull()
    expect((await ask()).body.reason).toBe('peck_recently_rejected')
  })

  it('counts as rejected everywhere from its time on, also before the worker has written it', async () => {
    await reject({ reason: 'Ask less' })
    const at = await endTime()
    const seen = await asAgent()
    expect([seen.status, seen.reason, seen.decided_at]).toEqual(['rejected', 'Ask less', at.toISOString()])
    const listed = async (status: string) =>
      (await call(`GET /beak/peck/history?status=${status}`, { key: agent.beakKey })).body.items.length
    expect([await listed('rejected'), await listed('pending'), await listed('expired')]).toEqual([1, 0, 0])
    expect((await ask()).body.reason).toBe('peck_recently_rejected')
    const receipt = await call(`GET /beak/peck/outcome?peck_id=${peckId}`, { key: agent.beakKey })
    expect(receipt.body.outcome).toBe('rejected')
    for (const [path, token] of [
      ['approve', target.token],
      ['undo', target.token],
      ['cancel', operator.token],
    ] as const) {
      const { status, body } = await call(`POST /beak/peck/${path}`, { token, body: { peck_id: peckId } })
      expect([path, status, body.reason, body.current_status]).toEqual([
        path,
        409,
        'peck_not_pending',
        'rejected',
      ])
    }
    await later()
    expect((await asAgent()).decided_at).toBe(at.toISOString())
  })

  it('takes effect before the peck expires', async () => {
    const expiresAt = secondsAfter(new Date(), 3)
    await db().peck.update({ where: { id: peckId }, data: { expiresAt } })
    const { body } = await reject()
    expect(Date.parse(body.undo_until)).toBe(expiresAt.getTime() - 1)
    await later()
    expect((await asAgent()).status).toBe('rejected')
  })

  it('takes effect although the session that made it was revoked', async () => {
    const session = await anotherSession(target)
    await reject({}, session)
    await call('POST /beak/signout', { token: session })
    await later()
    expect((await asAgent()).status).toBe('rejected')
  })

  it('gives way to an approval of the target and to a withdrawal of the asker', async () => {
    await reject()
    const approved = await call('POST /beak/peck/approve', {
      token: target.token,
      body: { peck_id: peckId, undo_seconds: undefined },
    })
    expect(approved.body.status).toBe('approved')
    peckId = (await aPeck(agent, target, { action: 'read:cert' })).peck_id
    await reject()
    await call('POST /beak/peck/cancel', { token: operator.token, body: { peck_id: peckId } })
    await later()
    expect((await asAgent()).status).toBe('cancelled')
    expect(await events()).toEqual([])
  })

  it('takes effect at once when the target blocks the asker', async () => {
    await reject()
    await call('POST /beak/peck/block', { token: target.token, body: { duckling_id: operator.id } })
    expect((await asAgent()).status).toBe('rejected')
    expect((await undo()).body.current_status).toBe('rejected')
  })

  it('rejects several pecks with decide, and each can be undone', async () => {
    const other = (await aPeck(agent, target, { action: 'read:cert' })).peck_id
    const { body } = await call('POST /beak/peck/decide', {
      token: target.token,
      body: { decision: 'reject', peck_ids: [peckId, other], reason: 'Not mine', undo_seconds: 10 },
    })
    expect(body.items.map(({ outcome, status }: Record<string, string>) => [outcome, status])).toEqual([
      ['decided', 'pending'],
      ['decided', 'pending'],
    ])
    expect((await undo()).body.status).toBe('pending')
    await later()
    expect((await asAgent()).status).toBe('pending')
    peckId = other
    expect((await asAgent()).status).toBe('rejected')
  })

  it('refuses more than 10 seconds', async () => {
    expect((await reject({ undo_seconds: 11 })).body.errors[0].field).toBe('undo_seconds')
  })
})

describe('undo', () => {
  // security: asker-26
  it('brings the peck back as it was, and only the log of the target has it', async () => {
    const before = await asAgent()
    await reject()
    const { status, body } = await undo()
    expect([status, body.status, body.undo_until]).toEqual([200, 'pending', undefined])
    await later()
    expect(await asAgent()).toEqual(before)
    expect(await events()).toEqual([])
    expect((await events('peck.undone')).map(({ ducklingId, outcome }) => [ducklingId, outcome])).toEqual([
      [target.id, 'success'],
    ])
  })

  // security: mail-4
  it('sends the peck to the open streams of the target', async () => {
    await reject()
    const stream = await callRaw('GET /beak/peck/stream', { token: target.token })
    const reader = stream.body?.getReader()
    const next = async () => new TextDecoder().decode((await reader?.read())?.value)
    expect(await next()).toContain('ready')
    await undo()
    expect(await next()).toContain(peckId)
    await reader?.cancel()
  })

  it('is refused to the asker, and without a rejection', async () => {
    expect((await undo()).body.reason).toBe('nothing_to_undo')
    await reject()
    expect((await undo({ token: operator.token })).body.reason).toBe('not_the_target')
    await later()
    expect((await asAgent()).status).toBe('rejected')
    expect((await undo()).body.current_status).toBe('rejected')
  })

  // security: asker-27
  it('wins against the end of the time or loses, with one outcome, when 50 of both happen at once', async () => {
    await reject()
    const finish = async () => {
      await later()
      return null
    }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? undo() : finish())),
    )
    const won = answers.filter((answer) => answer?.status === 200)
    const seen = await asAgent()
    const rejections = await events()
    if (seen.status === 'pending') expect([won.length, rejections.length]).toEqual([1, 0])
    else expect([seen.status, won.length, rejections.length]).toEqual(['rejected', 0, 2])
  })

  it('succeeds once of 50 simultaneous calls', async () => {
    await reject()
    const answers = await Promise.all(Array.from({ length: 50 }, () => undo()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.reason === 'nothing_to_undo')).toHaveLength(49)
  })
})
