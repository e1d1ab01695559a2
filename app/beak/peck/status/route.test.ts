import { beforeEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { approvePeck } from '@/lib/domain/pecks/decide/approve'
import { peckStatus } from '@/lib/domain/pecks/follow/stream'
import { usesKept } from '@/lib/domain/pecks/grant/spend'
import { expirePecks } from '@/lib/domain/pecks/record'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { watchers } from '@/lib/infrastructure/events/signals'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

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

describe('GET /beak/peck/uses', () => {
  let operator: ADuckling
  let target: ADuckling
  beforeEach(async () => {
    operator = await aDuckling()
    target = await aDuckling()
  })

  const usesOf = ({ token }: ADuckling, id: string, query = '') =>
    call(`GET /beak/peck/uses?peck_id=${id}${query}`, { token })
  const consume = (grant_token: string, audience?: string) =>
    call('POST /beak/peck/consume', { body: { grant_token, ...(audience ? { audience } : {}) } })
  const numbersIn = ({ body }: Awaited<ReturnType<typeof usesOf>>) =>
    body.items.map(({ number }: { number: number }) => number)

  describe('200', () => {
    it('lists the uses of a permission with the host name that the service gave, newest first', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
      await consume(grant_token)
      await consume(grant_token, 'shop.example')
      const items = [
        { number: 2, used_at: expect.any(String), audience: 'shop.example' },
        { number: 1, used_at: expect.any(String), audience: null },
      ]
      for (const side of [target, operator])
        expect((await usesOf(side, peck_id)).body).toEqual({ items, next_cursor: null })
      const details = await call(`GET /beak/peck/details?peck_ids=${peck_id}`, { token: target.token })
      expect(details.body.items[0].last_uses).toEqual(items)
    })

    it('shows this service as the place where a profile was read', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target)
      await call('GET /beak/profile', { token: operator.token, headers: { 'x-peck-grant': grant_token } })
      const host = new URL(config().baseUrl).hostname
      expect((await usesOf(target, peck_id)).body.items).toMatchObject([{ number: 1, audience: host }])
    })

    it('gives pages, and starts again at a cursor that somebody made up', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
      for (let use = 0; use < 3; use++) await consume(grant_token)
      const first = await usesOf(target, peck_id, '&limit=2')
      expect(numbersIn(first)).toEqual([3, 2])
      expect(numbersIn(await usesOf(target, peck_id, `&limit=2&cursor=${first.body.next_cursor}`))).toEqual([
        1,
      ])
      for (const key of ['kABC', 'k99999999999999999999', 'k-1'])
        expect(
          (await usesOf(target, peck_id, `&cursor=${Buffer.from(key).toString('base64url')}`)).status,
        ).toBe(200)
    })

    it('keeps the newest 100 uses', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
      await db().run`
        INSERT INTO "PeckUse" ("peckId", "number", "usedAt") SELECT ${peck_id}, n, now() FROM generate_series(1, ${usesKept}) n`
      await db().peck.update({ where: { id: peck_id }, data: { uses: usesKept } })
      await consume(grant_token)
      const rows = await db().peckUse.findMany({ where: { peckId: peck_id }, orderBy: { number: 'asc' } })
      expect(rows).toHaveLength(usesKept)
      expect([rows[0]?.number, rows.at(-1)?.number]).toEqual([2, usesKept + 1])
    })

    it('counts 50 simultaneous uses once each', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target, { scope: 'timed' })
      await Promise.all(Array.from({ length: 50 }, () => consume(grant_token)))
      const listed = numbersIn(await usesOf(target, peck_id, '&limit=100'))
      expect(listed).toEqual(Array.from({ length: 50 }, (_, index) => 50 - index))
    })

    it('has no use that was refused', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target)
      const body = { grant_token, params: { other: true } }
      expect((await call('POST /beak/peck/consume', { body })).status).toBe(403)
      expect((await usesOf(target, peck_id)).body.items).toEqual([])
    })

    it('exports the uses, and forgets them when the account is closed', async () => {
      const { peck_id, grant_token } = await anApprovedPeck(operator, target)
      await consume(grant_token, 'shop.example')
      const { body } = await call('GET /beak/account/export', { token: target.token })
      expect(body.pecks.uses).toMatchObject([{ peck_id, number: 1, audience: 'shop.example' }])
      await call('POST /beak/account/delete', { token: target.token })
      expect(await db().peckUse.count({ where: { peckId: peck_id } })).toBe(0)
    })
  })
})
