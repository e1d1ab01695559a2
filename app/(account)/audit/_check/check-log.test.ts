import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling, anonymously } from '@/lib/factories/ducklings'
import { record } from '@/lib/infrastructure/events/record'
import { checkLog, type Fetch } from './check-log'

// biome-ignore lint/suspicious/noExplicitAny: the tampered answers have different shapes
type Any = any

let owner: ADuckling
const token = () => owner.token

/** Answers like the routes of the page, ten events at a time. `tamper` may change each answer. */
function served(tamper: (page: Any) => void = () => undefined): Fetch {
  return async (path) => {
    const [place, query] = path.split('?')
    if (place === '/.well-known/jwks.json') return (await call('GET /.well-known/jwks.json')).body
    if (place === '/api/audit/head') return (await call('GET /beak/audit/head', { token: token() })).body
    const { body } = await call(`GET /beak/audit?limit=10${query ? `&${query}` : ''}`, { token: token() })
    tamper(body)
    return body
  }
}

async function addEvents(count: number): Promise<void> {
  await transaction(async (tx) => {
    for (let index = 0; index < count; index++)
      record(tx, anonymously(), 'duckling.updated', {
        concerning: [owner.id],
        metadata: { fields: ['bio'] },
      })
  })
}

const check = (fetchJson: Fetch, seen: Parameters<typeof checkLog>[2] = null) =>
  checkLog(fetchJson, owner.id, seen, () => undefined)

beforeAll(async () => {
  owner = await aDuckling()
  await addEvents(25)
})

describe('an untouched log', () => {
  it('passes from its first event to its signed end, and reports the progress', async () => {
    const steps: [number, number][] = []
    const verdict = await checkLog(served(), owner.id, null, (read, of) => steps.push([read, of]))
    expect(verdict).toMatchObject({ faults: [], events: verdict.end.seq, kid: expect.any(String) })
    expect(Date.parse(verdict.since ?? '')).not.toBeNaN()
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.at(-1)).toEqual([verdict.events, verdict.events])
  })

  it('passes when it grows while it is read', async () => {
    let isFirst = true
    const growing: Fetch = async (path) => {
      if (path.startsWith('/api/audit') && !path.includes('head') && isFirst) {
        isFirst = false
        await addEvents(3)
      }
      return served()(path)
    }
    expect((await check(growing)).faults).toEqual([])
  })

  it('passes when it contains the end that was seen before', async () => {
    const { end } = await check(served())
    await addEvents(2)
    expect((await check(served(), end)).faults).toEqual([])
  })
})

describe('a tampered log', () => {
  it('names the changed event', async () => {
    const tampered = served(({ items }) => {
      for (const event of items) if (event.seq === 12) event.metadata = { fields: ['min_peck_tier'] }
    })
    expect((await check(tampered)).faults).toMatchObject([
      { kind: 'changed', seq: 12, eventId: expect.stringMatching(/^EVT-/) },
    ])
  })

  it('names the place of a missing event', async () => {
    const shortened = served((page) => {
      page.items = page.items.filter(({ seq }: Any) => seq !== 12)
    })
    expect((await check(shortened)).faults).toMatchObject([{ kind: 'missing', seq: 13 }])
  })

  // security: rewrite-1
  it('reports a rewritten or shortened log by the end that this browser saw, although every hash and signature is valid', async () => {
    const { end } = await check(served())
    const rewritten = await check(served(), { ...end, seq: 12, hash: '0'.repeat(64) })
    expect(rewritten.faults).toMatchObject([{ kind: 'head', seq: 12 }])
    const shortened = await check(served(), { ...end, seq: end.seq + 5 })
    expect(shortened.faults).toMatchObject([{ kind: 'head', seq: null }])
  })
})
