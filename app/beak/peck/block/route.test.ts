import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { blockDuckling } from '@/lib/domain/pecks/blocks/block'
import { expirePecks } from '@/lib/domain/pecks/record'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { statementsOf } from '@/lib/fixtures/statements'
import { aWebhook } from '@/lib/fixtures/webhooks'
import { readClock } from '@/lib/kernel/runtime/clock'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const set = (verb: 'block' | 'unblock', who: ADuckling, ducklingId: string) =>
  call(`POST /beak/peck/${verb}`, { token: who.token, body: { duckling_id: ducklingId } })

type Who = { token: string } | { key: string }
const request = (who: Who, to: ADuckling, change: object = {}) =>
  call('POST /beak/peck/request', {
    ...who,
    body: { target_duckling_id: to.id, action: 'read:profile', scope: 'limited', ...change },
  })
const read = (who: Who, path: string) =>
  call(path.startsWith('profile') ? `GET /beak/${path}` : `GET /beak/peck/${path}`, who)
const idsOf = ({ body }: { body: { items: { peck_id: string }[] } }) =>
  body.items.map(({ peck_id }) => peck_id)

async function actionsOf(ducklingId: string) {
  const events = await db().auditEvent.findMany({ where: { ducklingId }, orderBy: { seq: 'asc' } })
  return events.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe('POST /beak/peck/block: 200', () => {
  it('blocks a duckling, and answers a repeated call the same without a second event', async () => {
    for (let turn = 0; turn < 2; turn++) {
      const { status, body } = await set('block', target, asker.id)
      expect(status).toBe(200)
      expect(body).toEqual({ success: true, duckling_id: asker.id, blocked: true, hidden_pecks: 0 })
    }
    expect((await actionsOf(target.id)).filter((line) => line === 'peck.blocked success')).toHaveLength(1)
    expect((await actionsOf(asker.id)).join()).not.toContain('block')
  })

  it('locks all pecks of the pair at once, in the order of their ids, before any log', async () => {
    const rejected = (await aPeck(asker, target)).peck_id
    await aPeck(asker, target, { action: 'read:cert' })
    await call('POST /beak/peck/reject', {
      token: target.token,
      body: { peck_id: rejected, reason: 'No', undo_seconds: 10 },
    })
    const context = await target.context()
    const statements = await statementsOf(() => blockDuckling(context, asker.id))
    const locks = statements.filter((text) => /FROM "Peck".*FOR NO KEY UPDATE/s.test(text))
    expect(locks).toEqual([expect.stringContaining('ORDER BY "id" FOR NO KEY UPDATE')])
    const firstLog = statements.findIndex((text) => text.includes('append_audit_event'))
    expect(statements.indexOf(locks[0] ?? '')).toBeLessThan(firstLog)
  })

  it('hides the waiting pecks of the duckling and its agents from the target, and says how many', async () => {
    const agent = await anAgent(asker)
    const own = await aPeck(asker, target)
    const ofAgent = await aPeck(agent, target)
    const decided = await anApprovedPeck(asker, target, { action: 'read:cert' })
    const { body } = await set('block', target, asker.id)
    expect(body).toEqual({ success: true, duckling_id: asker.id, blocked: true, hidden_pecks: 2 })
    expect((await read(target, 'inbox')).body.total).toBe(0)
    expect((await read(target, 'profile/overview')).body.pending_pecks).toBe(0)
    expect(idsOf(await read(target, 'history'))).toEqual([decided.peck_id])
    for (const { peck_id } of [own, ofAgent]) {
      expect((await read(target, `status?peck_id=${peck_id}`)).status).toBe(404)
      const answer = await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
      expect(answer.status).toBe(404)
    }
    expect((await set('block', target, asker.id)).body.hidden_pecks).toBe(0)
  })

  it('leaves a hidden peck pending for its asker, without an event, a webhook or a signal', async () => {
    await aWebhook('https://example.com/b', { owner: asker })
    const { peck_id } = await aPeck(asker, target)
    const before = await actionsOf(asker.id)
    const messages = () => db().webhookMessage.count({ where: { ducklingId: asker.id } })
    const sent = await messages()
    const waiting = call(`GET /beak/peck/status?peck_id=${peck_id}&wait=1`, asker)
    await set('block', target, asker.id)
    expect((await waiting).body.status).toBe('pending')
    expect((await request(asker, target)).body).toMatchObject({ peck_id, repeated: true })
    expect(await actionsOf(asker.id)).toEqual(before)
    expect(await messages()).toBe(sent)
    const cancelled = await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id } })
    expect(cancelled.body.status).toBe('cancelled')
  })

  it('does not touch pecks to other people, pecks of others, and permissions', async () => {
    const [other, third] = [await aDuckling(), await aDuckling()]
    const elsewhere = await aPeck(asker, third)
    const fromOther = await aPeck(other, target)
    const { grant_token } = await anApprovedPeck(asker, target, { action: 'read:cert' })
    expect((await set('block', target, asker.id)).body.hidden_pecks).toBe(0)
    expect((await read(third, `status?peck_id=${elsewhere.peck_id}`)).body.status).toBe('pending')
    expect((await read(target, `status?peck_id=${fromOther.peck_id}`)).body.status).toBe('pending')
    expect((await call('POST /beak/peck/consume', { body: { grant_token } })).status).toBe(200)
  })
})

describe('a block', () => {
  const others = Array.from({ length: 9 }, (_, index) => `read:n${index}`)

  it('hides every request that is sent at the same time', async () => {
    const answers = await Promise.all([
      ...others.slice(0, 4).map((action) => request(asker, target, { action })),
      set('block', target, asker.id),
      ...others.slice(4).map((action) => request(asker, target, { action })),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await read(target, 'inbox')).body.total).toBe(0)
    expect(await db().peck.count({ where: { targetDucklingId: target.id, blocked: true } })).toBe(9)
  })

  it('never hides a peck that is approved at the same time', async () => {
    const pecks = []
    for (const action of others) pecks.push((await aPeck(asker, target, { action })).peck_id)
    const { token } = target
    const approve = (peck_id: string) => call('POST /beak/peck/approve', { token, body: { peck_id } })
    const [blocked, ...answers] = await Promise.all([
      ...[set('block', target, asker.id)],
      ...pecks.map(approve),
      call('POST /beak/peck/decide', { token, body: { decision: 'approve', peck_ids: pecks } }),
    ])
    const rows = await db().peck.findMany({ where: { id: { in: pecks } } })
    const hidden = rows.filter((row) => row.blocked)
    expect(hidden.every(({ status }) => status === 'pending')).toBe(true)
    expect(rows.filter((row) => !row.blocked).every(({ status }) => status === 'approved')).toBe(true)
    expect(blocked?.body.hidden_pecks).toBe(hidden.length)
    expect(answers.every(({ status }) => [200, 404, 409].includes(status))).toBe(true)
  })
})

describe('a blocked asker', () => {
  /** Returns the answers that an asker gets to a fixed series of steps, without the values that differ for every peck. */
  async function experience(who: Who, to: ADuckling) {
    const answers = [await request(who, to, { params: { a: 1 }, message: 'Hello', expires_in: 600 })]
    const { peck_id } = answers[0]?.body ?? {}
    answers.push(await request(who, to, { params: { a: 1 } }))
    answers.push(await read(who, `status?peck_id=${peck_id}`))
    answers.push(await read(who, 'history?direction=sent&limit=1'))
    for (let index = 0; index < 10; index++)
      answers.push(await request(who, to, { action: `read:n${index}`, expires_in: 600 }))
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt: new Date() } })
    answers.push(await read(who, `status?peck_id=${peck_id}`))
    await expirePecks(readClock())
    answers.push(await read(who, `status?peck_id=${peck_id}`))
    return answers.map(({ status, body, headers }) => ({
      status,
      headers: [...headers.keys()].sort(),
      body: JSON.parse(
        JSON.stringify(body)
          .replaceAll(/(PECK|DUCK)-\w+/g, '$1')
          .replaceAll(to.displayName, 'Target')
          .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)/g, 'instant')
          .replaceAll(/"(next_cursor|request_id)":"[^"]+"/g, '"$1":"…"')
          .replaceAll(/"retry_after":\d+/g, '"retry_after":0'),
      ),
    }))
  }

  // security: asker-33
  it.each(['person', 'agent'])('gets the same answers as a %s whose peck stays pending', async (kind) => {
    const free = await aDuckling()
    await aPeck(asker, await aDuckling())
    await set('block', target, asker.id)
    const agent = kind === 'agent' ? await anAgent(asker) : null
    const who = agent ? { key: agent.beakKey } : asker
    if (agent) await aPeck(agent, await aDuckling())
    const blocked = await experience(who, target)
    const waiting = await experience(who, free)
    expect(blocked).toEqual(waiting)
    expect(blocked.at(-3)?.status).toBe(429)
  })

  it('is invisible to the target: no history, status, decision, event, webhook or mail', async () => {
    await aWebhook('https://example.com/a', { owner: target })
    await aWebhook('https://example.com/b', { owner: asker })
    await set('block', target, asker.id)
    const before = await actionsOf(target.id)
    const { body } = await request(asker, target)
    const { peck_id } = body
    expect((await read(target, 'history')).body.items).toEqual([])
    expect((await read(target, `status?peck_id=${peck_id}`)).status).toBe(404)
    const { token } = target
    for (const verb of ['approve', 'revoke'])
      expect(await call(`POST /beak/peck/${verb}`, { token, body: { peck_id } })).toMatchObject({
        status: 404,
      })
    const rejected = await call('POST /beak/peck/reject', { token, body: { peck_id, reason: 'x' } })
    expect(rejected.status).toBe(404)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt: new Date() } })
    await expirePecks(readClock())
    const after = (await actionsOf(target.id)).slice(before.length)
    expect(after.filter((line) => !line.endsWith('denied'))).toEqual([])
    const kinds = async (ducklingId: string) =>
      (await db().webhookMessage.findMany({ where: { ducklingId } })).map(({ type }) => type).sort()
    expect(await kinds(target.id)).toEqual([])
    expect(await kinds(asker.id)).toEqual(['peck.expired', 'peck.sent'])
    expect((await sentTo(target.email)).filter(({ kind }) => kind === 'peck_waiting')).toEqual([])
    expect(await actionsOf(asker.id)).toEqual(
      expect.arrayContaining(['peck.sent success', 'peck.expired success']),
    )
  })

  it('may cancel, and the target is not told', async () => {
    await set('block', target, asker.id)
    const { peck_id } = (await request(asker, target)).body
    const { body } = await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id } })
    expect(body.status).toBe('cancelled')
    expect((await actionsOf(target.id)).join()).not.toContain('peck.cancelled')
  })

  it('can still receive pecks of the duckling that blocked it', async () => {
    await set('block', target, asker.id)
    const { peck_id } = (await request(target, asker)).body
    expect((await read(asker, `status?peck_id=${peck_id}`)).status).toBe(200)
  })
})

describe('POST /beak/peck/unblock: 200', () => {
  it('shows new pecks, and an earlier hidden peck once it is requested again', async () => {
    await set('block', target, asker.id)
    const hidden = (await request(asker, target)).body
    const { status, body } = await set('unblock', target, asker.id)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, duckling_id: asker.id, blocked: false, restored_pecks: 0 })
    expect((await read(target, 'history')).body.items).toEqual([])
    const fresh = (await request(asker, target, { action: 'read:cert' })).body
    expect((await request(asker, target)).body).toEqual({ ...hidden, repeated: true })
    const ids = (await read(target, 'history')).body.items.map((peck: { peck_id: string }) => peck.peck_id)
    expect(ids).toEqual([fresh.peck_id, hidden.peck_id])
    const sent = (await actionsOf(target.id)).filter((line) => line === 'peck.sent success')
    expect(sent).toHaveLength(2)
    expect((await actionsOf(asker.id)).filter((line) => line === 'peck.sent success')).toHaveLength(2)
  })

  it('brings back the pecks that the block hid and that still wait, and no peck sent during the block', async () => {
    const waiting = await aPeck(asker, target)
    const cancelled = await aPeck(asker, target, { action: 'a:cancelled' })
    const lapsed = await aPeck(asker, target, { action: 'a:lapsed' })
    await set('block', target, asker.id)
    const during = (await request(asker, target, { action: 'a:during' })).body
    await call('POST /beak/peck/cancel', { token: asker.token, body: { peck_id: cancelled.peck_id } })
    await db().peck.update({ where: { id: lapsed.peck_id }, data: { expiresAt: new Date() } })
    const sent = (await sentTo(target.email)).length
    expect((await set('unblock', target, asker.id)).body.restored_pecks).toBe(1)
    expect(idsOf(await read(target, 'history'))).toEqual([waiting.peck_id])
    expect((await read(target, `status?peck_id=${during.peck_id}`)).status).toBe(404)
    expect((await sentTo(target.email)).length).toBe(sent)
    // A second block hides it again, and a second unblocking does not show what came during the first.
    expect((await set('block', target, asker.id)).body.hidden_pecks).toBe(1)
    expect((await set('unblock', target, asker.id)).body.restored_pecks).toBe(1)
    const { peck_id } = waiting
    const answer = await call('POST /beak/peck/approve', { token: target.token, body: { peck_id } })
    expect(answer.body.status).toBe('approved')
  })

  it('undoes a block once in 50 simultaneous calls', async () => {
    await aPeck(asker, target)
    await set('block', target, asker.id)
    const answers = await Promise.all(Array.from({ length: 50 }, () => set('unblock', target, asker.id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status === 200)?.body.restored_pecks).toBe(1)
    expect((await read(target, 'inbox')).body.total).toBe(1)
  })
})

describe('400', () => {
  it('names the field for an invalid id and for the caller’s own id', async () => {
    for (const id of ['x', target.id]) {
      const { status, body } = await set('block', target, id)
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'E4000', errors: [{ field: 'duckling_id' }] })
    }
    expect((await set('unblock', target, 'x')).status).toBe(400)
  })
})

describe('404', () => {
  it('returns 404 for another owner’s block', async () => {
    await set('block', target, asker.id)
    expect(await set('unblock', asker, target.id)).toMatchObject({ status: 404, body: { code: 'E4005' } })
    expect((await set('unblock', target, asker.id)).status).toBe(200)
    expect((await set('unblock', target, asker.id)).status).toBe(404)
  })
})
