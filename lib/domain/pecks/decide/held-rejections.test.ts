/** Rejections that are written after their command has ended, by the worker or by another command. */
import { beforeEach, describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { closeAccount } from '@/lib/domain/accounts/close'
import { purge } from '@/lib/domain/retention/purge'
import { deregisterAgent } from '@/lib/domain/revocation/deregister'
import { type AnAgent, anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, provedContext } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { approvePeck } from './approve'
import { decideMany } from './decide-many'
import { cancelPeck, rejectPeck, snoozePeck } from './decline'
import { finishRejections, undoRejection } from './held-rejections'

let operator: ADuckling
let target: ADuckling
let agent: AnAgent
beforeEach(async () => {
  operator = await aDuckling()
  target = await aDuckling()
  agent = await anAgent(operator)
})

const inSeconds = (seconds: number) => secondsAfter(readClock(), seconds)
const rowOf = (id: string) => db().peck.findUniqueOrThrow({ where: { id } })
const ownersOf = async (peckId: string, action = 'peck.rejected') => {
  const events = await db().auditEvent.findMany({ where: { action, outcome: 'success' } })
  const about = events.filter(({ targets }) => JSON.stringify(targets).includes(peckId))
  return about.map(({ ducklingId }) => ducklingId).sort()
}
const reject = (peckId: string, token = target.token) =>
  call('POST /beak/peck/reject', { token, body: { peck_id: peckId, reason: 'No', undo_seconds: 10 } })

/** Makes a rejection that takes effect at that time, and that nobody has written. */
async function aHeldRejection(rejectAt: Date, to = target, action = 'read:profile'): Promise<string> {
  const { peck_id: id } = await aPeck(agent, to, { action })
  await reject(id, to.token)
  await db().peck.update({ where: { id }, data: { rejectAt } })
  return id
}

/** Stops a session as the first proof of the address does. */
const stop = (sessionId: string) =>
  db().auditChain.update({ where: { ducklingId: target.id }, data: { stoppedSessions: [sessionId] } })

/** Returns a new session of the target, and its id. */
async function anotherTab(): Promise<{ token: string; sessionId: string }> {
  const token = await anotherSession(target)
  const { id } = await db().session.findFirstOrThrow({
    where: { ducklingId: target.id },
    orderBy: { id: 'desc' },
  })
  return { token, sessionId: id }
}

describe('the worker', () => {
  // security: asker-28
  it('writes the other rejections when a log is closed and when a row cannot be written', async () => {
    const broken = await aHeldRejection(inSeconds(-3))
    await db()
      .run`UPDATE "Peck" SET "heldRejection" = "heldRejection" || '{"unclear": null}' WHERE "id" = ${broken}`
    const closed = await aDuckling()
    const ofClosed = await aHeldRejection(inSeconds(-2), closed)
    await db().auditChain.update({ where: { ducklingId: closed.id }, data: { closed: true } })
    const other = await aHeldRejection(inSeconds(-1), target, 'read:cert')
    await finishRejections(readClock())
    const statuses = await Promise.all([broken, ofClosed, other].map(async (id) => (await rowOf(id)).status))
    expect(statuses).toEqual(['pending', 'rejected', 'rejected'])
    expect(await ownersOf(ofClosed)).toEqual([operator.id])
    expect(await ownersOf(other)).toEqual([operator.id, target.id].sort())
    await db().peck.delete({ where: { id: broken } })
  })

  it('ends with a hundred rows that an earlier version has decided, and the purge clears them', async () => {
    const id = await aHeldRejection(inSeconds(-1))
    await db().peck.update({ where: { id }, data: { status: 'cancelled', pendingKey: null } })
    await db().run`
      INSERT INTO "Peck" SELECT (jsonb_populate_record(p, jsonb_build_object('id', p."id" || lpad(n::text, 4, '0')))).*
      FROM "Peck" p, generate_series(1, 100) n WHERE p."id" = ${id}`
    await finishRejections(readClock())
    expect((await rowOf(id)).status).toBe('cancelled')
    await purge(readClock())
    expect(await db().peck.count({ where: { id: { startsWith: id }, rejectAt: { not: null } } })).toBe(0)
    expect((await rowOf(id)).heldRejection).toBeNull()
  })
})

describe('the end of the account of the target', () => {
  it('writes a rejection that can no longer be undone with its events, and cancels the others', async () => {
    const due = await aHeldRejection(inSeconds(-1))
    const final = await aHeldRejection(inSeconds(0.9), target, 'read:cert')
    const open = await aHeldRejection(inSeconds(9), target, 'read:nest')
    await closeAccount(await provedContext(target))
    const rows = await Promise.all([due, final, open].map(rowOf))
    expect(rows.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'cancelled'])
    expect(rows.map(({ heldRejection }) => heldRejection)).toEqual([null, null, null])
    for (const id of [due, final]) expect(await ownersOf(id)).toEqual([operator.id, target.id].sort())
    await finishRejections(inSeconds(11))
  })

  it('clears what an earlier version left of a rejection, with the address and the device', async () => {
    const id = await aHeldRejection(inSeconds(-1))
    await db().peck.update({ where: { id }, data: { status: 'cancelled', pendingKey: null } })
    await closeAccount(await provedContext(target))
    expect((await rowOf(id)).heldRejection).toBeNull()
  })
})

describe('a stopped session', () => {
  // security: asker-28
  it('has made a rejection that takes effect, and neither the asker nor a block of the owner fails because of it', async () => {
    const { token, sessionId } = await anotherTab()
    const { peck_id: id, action } = await aPeck(agent, target)
    const second = (await aPeck(agent, target, { action: 'read:cert' })).peck_id
    await reject(id, token)
    await reject(second, token)
    await stop(sessionId)
    await db().peck.update({ where: { id }, data: { rejectAt: inSeconds(-1) } })
    const again = await call('POST /beak/peck/request', {
      key: agent.beakKey,
      body: { target_duckling_id: target.id, action, scope: 'limited', params: {} },
    })
    expect([again.status, again.body.reason]).toEqual([429, 'peck_recently_rejected'])
    await finishRejections(readClock())
    expect(await ownersOf(id)).toEqual([operator.id, target.id].sort())
    const block = await call('POST /beak/peck/block', {
      token: target.token,
      body: { duckling_id: operator.id },
    })
    expect(block.status).toBe(200)
    expect((await rowOf(second)).status).toBe('rejected')
  })

  // security: mail-4
  it('neither makes nor undoes a rejection with a command that still runs', async () => {
    const { token, sessionId } = await anotherTab()
    const { peck_id: id } = await aPeck(agent, target)
    await stop(sessionId)
    const decide = call('POST /beak/peck/decide', {
      token,
      body: { decision: 'reject', peck_ids: [id], reason: 'No', undo_seconds: 10 },
    })
    expect([(await reject(id, token)).status, (await decide).status]).toEqual([401, 401])
    expect((await rowOf(id)).rejectAt).toBeNull()
    await reject(id)
    const undone = await call('POST /beak/peck/undo', { token, body: { peck_id: id } })
    expect(undone.status).toBe(401)
    expect((await rowOf(id)).rejectAt).not.toBeNull()
  })
})

describe('a status', () => {
  // security: asker-27
  it('does not go back when the asker holds back the body of a withdrawal until it has read the rejection', async () => {
    const id = await aHeldRejection(inSeconds(9))
    let send: () => void = () => undefined
    const raw = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        send = () => {
          controller.enqueue(new TextEncoder().encode(JSON.stringify({ peck_id: id })))
          controller.close()
        }
      },
    })
    const answer = callRaw('POST /beak/peck/cancel', { token: operator.token, raw })
    const rejectAt = inSeconds(0.05)
    await db().peck.update({ where: { id }, data: { rejectAt } })
    const seen = await call(`GET /beak/peck/status?peck_id=${id}&wait=5`, { key: agent.beakKey })
    expect(seen.body.status).toBe('rejected')
    send()
    expect((await answer).status).toBe(409)
    expect((await rowOf(id)).status).toBe('pending')
  })

  // security: asker-27
  it.each([
    ['of a call that began before', -0.5],
    ['in the last second before', 0.9],
  ])('is not changed by any command %s the rejection takes effect', async (_, seconds) => {
    const id = await aHeldRejection(inSeconds(seconds))
    const late = { now: inSeconds(-15) }
    const [owner, asker] = [
      { ...(await provedContext(target)), ...late },
      { ...(await provedContext(operator)), ...late },
    ]
    const refused = { failure: 'peck_not_pending', extras: { current_status: 'rejected' } }
    const terms = { peckId: id, grantExpiresIn: undefined, passkey: undefined }
    await expect(approvePeck(owner, terms)).rejects.toMatchObject(refused)
    await expect(rejectPeck(owner, id, 'No')).rejects.toMatchObject(refused)
    await expect(rejectPeck(owner, id, 'No', { undoSeconds: 10 })).rejects.toMatchObject(refused)
    await expect(snoozePeck(owner, { peck_id: id, until: inSeconds(60) })).rejects.toMatchObject(refused)
    await expect(undoRejection(owner, id)).rejects.toMatchObject(refused)
    await expect(cancelPeck(asker, id)).rejects.toMatchObject(refused)
    const { items } = await decideMany(owner, {
      decision: 'reject',
      peck_ids: [id],
      reason: 'No',
      undo_seconds: 10,
    })
    expect(items).toEqual([{ peck_id: id, outcome: 'not_pending', status: 'rejected' }])
    expect((await deregisterAgent(asker, agent.agentId)).cancelled_pecks).toEqual([])
    await closeAccount(asker)
    expect((await rowOf(id)).status).toBe('pending')
    await finishRejections(inSeconds(2))
    expect((await rowOf(id)).status).toBe('rejected')
  })
})

it('lets an identical request follow a due rejection that nobody has written', async () => {
  // The pause after it is over.
  const id = await aHeldRejection(inSeconds(-7200))
  const { peck_id: next } = await aPeck(agent, target, { action: 'read:profile' })
  expect(next).not.toBe(id)
  expect((await rowOf(id)).status).toBe('rejected')
  expect(await ownersOf(id)).toEqual([operator.id, target.id].sort())
})
