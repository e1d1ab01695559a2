import { beforeEach, describe, expect, it, vi } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { slotsInUse } from '@/lib/domain/pecks/follow/connection-slots'
import { streamPecks } from '@/lib/domain/pecks/follow/stream'
import { anAgent } from '@/lib/fixtures/agents'
import { type ADuckling, aDuckling } from '@/lib/fixtures/ducklings'
import { aPeck } from '@/lib/fixtures/pecks'
import { watchers } from '@/lib/infrastructure/events/changes'
import { forget } from '@/lib/kernel/singleton'

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
    const [theirs, ours] = [await follow(target), await follow(asker)]
    expect(theirs.response.headers.get('content-type')).toBe('text/event-stream')
    const { peck_id } = await aPeck(asker, target, { message: 'two\nlines' })
    for (const { next } of [theirs, ours])
      expect(peckOf(await next())).toMatchObject({ peck_id, status: 'pending', message: 'two\nlines' })
    await call('POST /beak/peck/approve', { ...token(target), body: { peck_id } })
    const seen = peckOf(await theirs.next())
    expect(seen).toMatchObject({ peck_id, status: 'approved' })
    expect(seen.grant_token).toBeUndefined()
    const granted = peckOf(await ours.next())
    expect(granted.grant_token).toBeTruthy()
    const spent = await call('POST /beak/peck/consume', { body: { grant_token: granted.grant_token } })
    expect(spent.status).toBe(200)
    expect(peckOf(await theirs.next()).grant_status).toBe('consumed')
    await Promise.all([theirs.cancel(), ours.cancel()])
  })

  it('sends no pecks of other people or of blocked askers', async () => {
    const stream = await follow(target)
    await call('POST /beak/peck/block', { ...token(target), body: { duckling_id: asker.id } })
    await aPeck(asker, target)
    await aPeck(target, asker)
    expect(peckOf(await stream.next()).requester.duckling_id).toBe(target.id)
    await stream.cancel()
  })

  it('sends changes that another instance made', async () => {
    const stream = await follow(target)
    // Existing watchers get no signal of later changes, as if another instance made them.
    forget('pecks.changes')
    const { peck_id } = await aPeck(asker, target)
    expect(peckOf(await stream.next()).peck_id).toBe(peck_id)
    await stream.cancel()
  })

  it('sends comments as heartbeats, and ends with the session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    try {
      const stream = await follow(target)
      expect(await advanceUntil(stream.next())).toBe(': still here')
      await db().session.updateMany({ where: { ducklingId: target.id }, data: { revokedAt: new Date() } })
      const end = stream.next().then((event) => (event === null ? null : stream.next()))
      expect(await advanceUntil(end)).toBeNull()
      expect(slotsInUse(target.id)).toBe(0)
    } finally {
      vi.useRealTimers()
    }
  })
})

/** Advances the fake timers until the promise settles, and lets the database answer in between. */
async function advanceUntil<T>(awaited: Promise<T>): Promise<T> {
  let settled = false
  const settle = () => {
    settled = true
  }
  awaited.then(settle, settle)
  while (!settled) {
    await vi.advanceTimersByTimeAsync(500)
    await db().rows`SELECT 1`
    await new Promise((resolve) => setImmediate(resolve))
  }
  return awaited
}

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

describe('401 and 403', () => {
  it('requires a session', async () => {
    expect((await call('GET /beak/peck/stream')).status).toBe(401)
    const agent = await anAgent(target)
    expect(await call('GET /beak/peck/stream', { key: agent.beakKey })).toMatchObject({
      status: 403,
      body: { code: 'E4007' },
    })
  })
})
