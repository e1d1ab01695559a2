import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { expirePecks } from '@/lib/domain/pecks/expire'
import { peckStatus } from '@/lib/domain/pecks/follow/status'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { aPeck } from '@/lib/factories/pecks'
import { watchers } from '@/lib/infrastructure/events/changes'
import { readClock, secondsAfter } from '@/lib/kernel/clock'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const status = (who: { token: string } | { key: string }, peckId: string, rest = '') =>
  call(`GET /beak/peck/status?peck_id=${peckId}${rest}`, who)

async function approve(peckId: string) {
  return approvePeck(await target.context(), { peckId, grantExpiresIn: undefined, passkey: undefined })
}

/** Resolves when a long poll waits for the peck. */
async function untilWatched(peckId: string): Promise<void> {
  while (watchers(peckId) === 0) await new Promise((resolve) => setImmediate(resolve))
}

describe('200', () => {
  it('shows a peck to both sides', async () => {
    const peck = await aPeck(asker, target)
    for (const who of [asker, target]) {
      const answer = await status(who, peck.peck_id)
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ peck_id: peck.peck_id, status: 'pending' })
    }
  })

  it('shows a person the pecks of their agents', async () => {
    const agent = await anAgent(asker)
    const { peck_id } = await aPeck(agent, target)
    expect((await status({ key: agent.beakKey }, peck_id)).status).toBe(200)
    expect((await status(asker, peck_id)).status).toBe(200)
  })

  it('returns expired from the expiry on, before and after the worker has stored it', async () => {
    const { peck_id } = await aPeck(asker, target)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt: new Date() } })
    const before = await status(asker, peck_id)
    expect(before.body).toMatchObject({ status: 'expired', grant_status: null, decided_at: null })
    await expirePecks(readClock())
    expect((await status(asker, peck_id)).body).toEqual(before.body)
  })

  it('waits for the decision and answers immediately after it', async () => {
    const { peck_id } = await aPeck(asker, target)
    const started = performance.now()
    const [answer] = await Promise.all([
      status(asker, peck_id, '&wait=30'),
      untilWatched(peck_id).then(() => approve(peck_id)),
    ])
    expect(answer.body).toMatchObject({ status: 'approved', grant_token: expect.any(String) })
    expect(performance.now() - started).toBeLessThan(5000)
    expect(watchers(peck_id)).toBe(0)
  })

  it('answers 20 simultaneous long polls', async () => {
    const { peck_id } = await aPeck(asker, target)
    const waiting = Array.from({ length: 20 }, () => status(target, peck_id, '&wait=30'))
    await untilWatched(peck_id)
    const token = target.token
    await call('POST /beak/peck/reject', { token, body: { peck_id, reason: 'No' } })
    const answers = await Promise.all(waiting)
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['rejected']))
    expect(watchers(peck_id)).toBe(0)
  })

  it('does not wait for a decided peck', async () => {
    const { peck_id } = await aPeck(asker, target)
    await approve(peck_id)
    const started = performance.now()
    await status(asker, peck_id, '&wait=30')
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('returns the pending peck when the wait ends, and the expired peck when it expires first', async () => {
    const { peck_id } = await aPeck(asker, target)
    expect((await status(asker, peck_id, '&wait=1')).body.status).toBe('pending')
    const expiresAt = secondsAfter(readClock(), 0.3)
    await db().peck.update({ where: { id: peck_id }, data: { expiresAt } })
    expect((await status(asker, peck_id, '&wait=30')).body.status).toBe('expired')
  })

  it('stops waiting when the client disconnects', async () => {
    const { peck_id } = await aPeck(asker, target)
    const leaving = new AbortController()
    const waiting = peckStatus(await asker.context(), peck_id, 30, leaving.signal)
    await untilWatched(peck_id)
    leaving.abort()
    expect((await waiting).status).toBe('pending')
    expect(watchers(peck_id)).toBe(0)
  })
})

describe('400', () => {
  it.each([
    '',
    '?peck_id=x',
    '?peck_id=PECK-00000000000000000000000000&wait=31',
    '?peck_id=PECK-00000000000000000000000000&wait=-1',
  ])('rejects "%s"', async (query) => {
    const answer = await call(`GET /beak/peck/status${query}`, { token: asker.token })
    expect([answer.status, answer.body.code]).toEqual([400, 'E4000'])
  })
})

describe('404', () => {
  it('returns the same 404 for a peck of other people and an unknown one', async () => {
    const { peck_id } = await aPeck(asker, target)
    const stranger = await aDuckling()
    const theirs = await status(stranger, peck_id, '&wait=30')
    const none = await status(stranger, `PECK-${'0'.repeat(26)}`)
    const { request_id: _, ...answer } = theirs.body
    const { request_id: __, ...missing } = none.body
    expect(theirs.status).toBe(404)
    expect(answer).toEqual(missing)
  })

  it('returns 404 to an agent for pecks of its operator and of other agents', async () => {
    const [agent, sister] = [await anAgent(asker), await anAgent(asker)]
    for (const from of [asker, sister]) {
      const { peck_id } = await aPeck(from, target)
      expect((await status({ key: agent.beakKey }, peck_id)).status).toBe(404)
    }
    const received = await aPeck(target, asker)
    expect((await status({ key: agent.beakKey }, received.peck_id)).status).toBe(404)
  })
})

describe('401 and 403', () => {
  it('requires a credential, and the capability for an agent', async () => {
    const agent = await anAgent(asker, { capabilities: ['request:peck'] })
    const { peck_id } = await aPeck(agent, target)
    expect((await call(`GET /beak/peck/status?peck_id=${peck_id}`)).status).toBe(401)
    expect(await status({ key: agent.beakKey }, peck_id)).toMatchObject({
      status: 403,
      body: { required_capability: 'read:peck' },
    })
  })
})
