import { beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { transaction } from '@/lib/db/transaction'
import { type ADuckling, aDuckling, anonymously } from '@/lib/fixtures/ducklings'
import { record } from '@/lib/infrastructure/events/record'
import { checkLog, type Fetch } from './check-log'

// biome-ignore lint/suspicious/noExplicitAny: what is tampered with has every shape
type Any = any

let owner: ADuckling
const token = () => owner.token

/** What the page's routes answer, in pages of ten; `tamper` has a hand in each. */
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

async function happen(count: number): Promise<void> {
  await transaction(async (tx) => {
    for (let index = 0; index < count; index++)
      await record(tx, anonymously(), 'duckling.updated', {
        concerning: [owner.id],
        metadata: { fields: ['bio'] },
      })
  })
}

const check = (fetchJson: Fetch, seen: Parameters<typeof checkLog>[2] = null) =>
  checkLog(fetchJson, owner.id, seen, () => undefined)

beforeAll(async () => {
  owner = await aDuckling()
  await happen(25)
})

describe('a log that nobody touched', () => {
  it('is unbroken from its first event to its signed end, and the reader is told how far it is', async () => {
    const steps: [number, number][] = []
    const verdict = await checkLog(served(), owner.id, null, (read, of) => steps.push([read, of]))
    expect(verdict).toMatchObject({ faults: [], events: verdict.end.seq, kid: expect.any(String) })
    expect(Date.parse(verdict.since ?? '')).not.toBeNaN()
    expect(steps.length).toBeGreaterThan(2)
    expect(steps.at(-1)).toEqual([verdict.events, verdict.events])
  })

  it('may grow while it is read', async () => {
    let isFirst = true
    const growing: Fetch = async (path) => {
      if (path.startsWith('/api/audit') && !path.includes('head') && isFirst) {
        isFirst = false
        await happen(3)
      }
      return served()(path)
    }
    expect((await check(growing)).faults).toEqual([])
  })

  it('goes through the end that was seen before', async () => {
    const { end } = await check(served())
    await happen(2)
    expect((await check(served(), end)).faults).toEqual([])
  })
})

describe('a log that somebody touched', () => {
  it('names the event that was changed', async () => {
    const tampered = served(({ items }) => {
      for (const event of items) if (event.seq === 12) event.metadata = { fields: ['min_peck_tier'] }
    })
    expect((await check(tampered)).faults).toMatchObject([
      { kind: 'changed', seq: 12, eventId: expect.stringMatching(/^EVT-/) },
    ])
  })

  it('says what is missing', async () => {
    const shortened = served((page) => {
      page.items = page.items.filter(({ seq }: Any) => seq !== 12)
    })
    expect((await check(shortened)).faults).toMatchObject([{ kind: 'missing', seq: 13 }])
  })

  it('is found out by the end this browser has seen, though every hash and signature is good', async () => {
    const { end } = await check(served())
    const rewritten = await check(served(), { ...end, seq: 12, hash: '0'.repeat(64) })
    expect(rewritten.faults).toMatchObject([{ kind: 'head', seq: 12 }])
    const shortened = await check(served(), { ...end, seq: end.seq + 5 })
    expect(shortened.faults).toMatchObject([{ kind: 'head', seq: null }])
  })
})
