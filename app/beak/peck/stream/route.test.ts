import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { streamPecks } from '@/lib/domain/pecks/follow/stream'
import { expireGrants } from '@/lib/domain/pecks/grant/active'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { anApprovedPeck, aPeck } from '@/lib/factories/pecks'
import { anotherSession } from '@/lib/fixtures/accounts'
import { describeOnEmbedded } from '@/lib/fixtures/source-files'
import { countTransactions } from '@/lib/fixtures/statements'
import { record } from '@/lib/infrastructure/events/record'
import { watchers } from '@/lib/infrastructure/events/signals'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

let asker: ADuckling
let target: ADuckling
beforeEach(async () => {
  asker = await aDuckling()
  target = await aDuckling()
})

const token = (who: ADuckling) => ({ token: who.token })

/** Reads a stream event by event. */
function reading(body: ReadableStream<Uint8Array> | null) {
  if (body === null) throw new Error('no body')
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const waiting: string[] = []
  return {
    async next(): Promise<string | null> {
      while (waiting.length === 0) {
        const { done, value } = await reader.read()
        if (done) return null
        waiting.push(
          ...decoder
            .decode(value)
            .split('\n\n')
            .filter((part) => part !== ''),
        )
      }
      return waiting.shift() ?? null
    },
    cancel: () => reader.cancel(),
  }
}

async function follow(who: ADuckling) {
  const response = await callRaw('GET /beak/peck/stream', token(who))
  const stream = reading(response.body)
  expect(await stream.next()).toBe('event: ready\ndata: {}')
  return { response, ...stream }
}

function peckOf(event: string | null) {
  const [kind, id, data = ''] = (event ?? '').split('\n')
  expect(kind).toBe('event: peck')
  const peck = JSON.parse(data.replace(/^data: /, ''))
  expect(id).toBe(`id: ${peck.peck_id}`)
  return peck
}

describe('200', () => {
  it('sends ready first, and then each change to both sides', async () => {
    const [others, ours] = [await follow(target), await follow(asker)]
    expect(others.response.headers.get('content-type')).toBe('text/event-stream')
    const { peck_id } = await aPeck(asker, target, { message: 'two\nlines' })
    for (const { next } of [others, ours])
      expect(peckOf(await next())).toMatchObject({ peck_id, status: 'pending', message: 'two\nlines' })
    await call('POST /beak/peck/approve', { ...token(target), body: { peck_id } })
    const seen = peckOf(await others.next())
    expect(seen).toMatchObject({ peck_id, status: 'approved' })
    expect(seen.grant_token).toBeUndefined()
    const granted = peckOf(await ours.next())
    expect(granted.grant_token).toBeTruthy()
    const spent = await call('POST /beak/peck/consume', { body: { grant_token: granted.grant_token } })
    expect(spent.status).toBe(200)
    expect(peckOf(await others.next()).grant_status).toBe('consumed')
    await Promise.all([others.cancel(), ours.cancel()])
  })

  it('tells both sides that a permission ended by its time', async () => {
    const { peck_id } = await anApprovedPeck(asker, target, { scope: 'timed' })
    const streams = [await follow(target), await follow(asker)]
    const now = readClock()
    await db().peck.update({ where: { id: peck_id }, data: { grantExpiresAt: now } })
    await expireGrants(now)
    for (const { next, cancel } of streams) {
      const peck = peckOf(await next())
      expect(peck).toMatchObject({ peck_id, status: 'approved', grant_status: 'expired' })
      expect(peck.grant_token).toBeUndefined()
      await cancel()
    }
  })

  it('names to both sides what ended a request and a permission', async () => {
    const agent = await anAgent(asker)
    const pending = await aPeck(agent, target)
    const given = await anApprovedPeck(agent, target, { scope: 'timed', action: 'read:mail' })
    const streams = [await follow(target), await follow(asker)]
    const body = { agent_id: agent.agentId }
    await call('POST /beak/agent/deregister', { ...token(asker), body })
    for (const { next } of streams) {
      const ended = [peckOf(await next()), peckOf(await next())]
      expect(new Set(ended.map(({ peck_id }) => peck_id))).toEqual(new Set([pending.peck_id, given.peck_id]))
      expect(ended.map(({ cause }) => cause)).toEqual(['agent_deregistered', 'agent_deregistered'])
    }
    for (const { cancel } of streams) await cancel()
  })

  it('names the undo as the cause of the old request only, and no cause when the person withdraws or revokes', async () => {
    const undone = await anApprovedPeck(asker, target)
    const revoked = await anApprovedPeck(asker, target, { action: 'read:mail' })
    const stream = await follow(asker)
    const { superseded_by } = (
      await call('POST /beak/peck/undo', { ...token(target), body: { peck_id: undone.peck_id } })
    ).body
    const causes = new Map()
    for (const _ of [undone, superseded_by]) {
      const { peck_id, cause } = peckOf(await stream.next())
      causes.set(peck_id, cause)
    }
    await call('POST /beak/peck/cancel', { ...token(asker), body: { peck_id: superseded_by } })
    await call('POST /beak/peck/revoke', { ...token(target), body: { peck_id: revoked.peck_id } })
    expect([...causes]).toEqual(
      expect.arrayContaining([
        [undone.peck_id, 'undone'],
        [superseded_by, undefined],
      ]),
    )
    for (const peck_id of [superseded_by, revoked.peck_id]) {
      const peck = peckOf(await stream.next())
      expect([peck.peck_id, peck.cause]).toEqual([peck_id, undefined])
    }
    await stream.cancel()
  })

  it('tells that a block hid pecks, and sends those that unblocking brings back', async () => {
    const pecks = [await aPeck(asker, target), await aPeck(asker, target, { action: 'read:cert' })]
    const stream = await follow(target)
    for (const blocked of [true, false]) {
      const line = blocked ? 'POST /beak/peck/block' : 'POST /beak/peck/unblock'
      await call(line, { ...token(target), body: { duckling_id: asker.id } })
      if (!blocked)
        for (const { peck_id } of pecks)
          expect(peckOf(await stream.next())).toMatchObject({ peck_id, status: 'pending' })
      const data = JSON.stringify({ duckling_id: asker.id, blocked })
      expect(await stream.next()).toBe(`event: peck_block\ndata: ${data}`)
    }
    await stream.cancel()
  })

  // security: session-10
  it('tells every session of a sensitive change by one of them', async () => {
    const stream = await follow(target)
    const thief = await anotherSession(target)
    const body = { url: 'https://hooks.example.com/beak' }
    await call('POST /beak/webhook/create', { token: thief, body })
    expect(await stream.next()).toMatch(
      /^event: account_change\ndata: \{"change":"webhook\.created","at":"\d{4}-[^"]+Z"\}$/,
    )
    await stream.cancel()
  })

  it('sends no pecks of other people or of blocked askers', async () => {
    const stream = await follow(target)
    await call('POST /beak/peck/block', { ...token(target), body: { duckling_id: asker.id } })
    expect(await stream.next()).toContain('event: peck_block')
    await aPeck(asker, target)
    await aPeck(target, asker)
    expect(peckOf(await stream.next()).requester.duckling_id).toBe(target.id)
    await stream.cancel()
  })

  it('sends all changes when there are more than one read returns', async () => {
    const stream = await follow(target)
    const { peck_id } = await aPeck(asker, target)
    const context = await asker.context()
    const details = { concerning: [target.id], targets: [{ type: 'peck' as const, id: peck_id }] }
    for (let count = 0; count < 220; count++)
      await transaction(async (tx) => record(tx, context, 'peck.snoozed', details))
    await call('POST /beak/peck/reject', { ...token(target), body: { peck_id, reason: 'No' } })
    for (;;) if (peckOf(await stream.next()).status === 'rejected') break
    await stream.cancel()
  })

  describeOnEmbedded('heartbeats', () => {
    it('are comments, sent without a query', async () => {
      const streams = await Promise.all([follow(target), follow(asker), follow(target)])
      const own = (await countTransactions()) - (await countTransactions())
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const before = await countTransactions()
      for (let minute = 0; minute < 4; minute++) {
        const comments = streams.map(({ next }) => next())
        await vi.advanceTimersByTimeAsync(15_000)
        expect(await Promise.all(comments)).toEqual(streams.map(() => ': still here'))
      }
      expect(before - (await countTransactions())).toBe(own)
      await Promise.all(streams.map(({ cancel }) => cancel()))
    })
  })

  it.each([
    ['its session is signed out', () => call('POST /beak/signout', token(target))],
    [
      'another session ends it',
      async () => {
        const other = await anotherSession(target)
        await call('POST /beak/session/revoke', { token: other, body: { all_others: true } })
      },
    ],
    ['the account is closed', () => call('POST /beak/account/delete', { ...token(target), body: {} })],
  ])('ends when %s', async (_when, end) => {
    const stream = await follow(target)
    const ended = stream.next()
    await end()
    expect(await ended).toBeNull()
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 0])
  })

  it('ends when the session expires', async () => {
    const expiresAt = secondsAfter(readClock(), 0.5)
    await db().session.updateMany({ where: { ducklingId: target.id }, data: { expiresAt } })
    const stream = await follow(target)
    expect(await stream.next()).toBeNull()
  })
})

describe('a stream', () => {
  it('is released when the client cancels, before or during a read', async () => {
    const read = await follow(target)
    const pending = read.next()
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([1, 1])
    await read.cancel()
    expect(await pending).toBeNull()
    const unread = await callRaw('GET /beak/peck/stream', token(target))
    const reader = unread.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 0])
  })

  it('is released when the request is aborted', async () => {
    const leaving = new AbortController()
    const stream = reading(streamPecks(await target.context(), leaving.signal))
    await stream.next()
    const pending = stream.next()
    leaving.abort()
    expect(await pending).toBeNull()
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 0])
  })

  it('does not start before the first read, and HEAD leaves nothing open', async () => {
    expect((await callRaw('HEAD /beak/peck/stream', token(target))).status).toBe(200)
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 0])
    const unread = await callRaw('GET /beak/peck/stream', token(target))
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 1])
    await unread.body?.cancel()
    expect(slotsInUse(target.id)).toBe(0)
  })

  it('is refused when 20 are open for the account, and the 20 continue', async () => {
    const streams = []
    for (let index = 0; index < 20; index++) streams.push(await follow(target))
    const refused = await call('GET /beak/peck/stream', token(target))
    expect([refused.status, refused.body.code, refused.body.retry_after]).toEqual([429, 'E4004', 5])
    await aPeck(asker, target)
    for (const { next } of streams) expect(peckOf(await next()).status).toBe('pending')
    await Promise.all(streams.map(({ cancel }) => cancel()))
    expect([watchers(target.id), slotsInUse(target.id)]).toEqual([0, 0])
  })
})
