/** The stores of a shop, in memory and on the database of the tests. */
import {
  type CheckpointStore,
  memoryCheckpoints,
  memoryPins,
  memoryUsed,
  type PinStore,
  type RunSql,
  sqlCheckpoints,
  sqlPins,
  sqlUsed,
} from '@beak/client/trust'
import { addUse, type SummingStore } from '@beak/client/trust/used-store'
import type { RuleStatement } from '@beak/proofs/rules/rule'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '@/lib/db/client'
import { ruleParts } from '@/lib/fixtures/rule-maker'

const run: RunSql = async (text, values) => {
  const { pool } = await openDatabase()
  return (await pool.query(text, values)).rows
}

/** As the comments of `sqlUsed`, `sqlPins` and `sqlCheckpoints` say. */
const tables = [
  'CREATE TABLE beak_used (key TEXT PRIMARY KEY, owner TEXT NOT NULL, until BIGINT)',
  `CREATE TABLE beak_pins (
     target TEXT NOT NULL, credential_id TEXT NOT NULL, public_key TEXT NOT NULL, is_first INTEGER NOT NULL,
     PRIMARY KEY (target, credential_id, public_key)
   )`,
  'CREATE UNIQUE INDEX beak_first_pins ON beak_pins (target) WHERE is_first = 1',
  `CREATE TABLE beak_checkpoints (
     origin TEXT NOT NULL, is_proven INTEGER NOT NULL, size BIGINT NOT NULL, root TEXT NOT NULL, note TEXT NOT NULL,
     PRIMARY KEY (origin, is_proven)
   )`,
  'CREATE TABLE beak_forks (origin TEXT PRIMARY KEY, remembered TEXT NOT NULL, found TEXT NOT NULL)',
]

beforeAll(async () => {
  for (const text of tables) await run(text, [])
})

afterAll(async () => {
  await run('DROP TABLE beak_used', [])
  for (const table of ['beak_pins', 'beak_checkpoints', 'beak_forks']) await run(`DROP TABLE ${table}`, [])
})

const fifty = Array.from({ length: 50 }, (_, index) => String(index))
const until = new Date('2030-01-01T00:00:00.500Z')

describe.each<[string, () => SummingStore]>([
  ['memoryUsed', memoryUsed],
  ['sqlUsed', () => sqlUsed(run)],
])('%s', (_, open) => {
  it('gives a key to one of 50 simultaneous owners, and tells all of them who has it', async () => {
    const store = open()
    const owners = await Promise.all(fifty.map((owner) => store.claim('many', owner, until)))
    expect(new Set(owners).size).toBe(1)
    expect(fifty.filter((owner, index) => owner === owners[index])).toEqual([owners[0]])
  })

  it('keeps the first owner of each key', async () => {
    const store = open()
    expect(await store.claim('one', 'a', until)).toBe('a')
    expect(await store.claim('one', 'b')).toBe('a')
    expect(await store.claim('one', 'a')).toBe('a')
    expect(await store.claim('two', 'b')).toBe('b')
    expect(await store.claim('three', '')).toBe('')
  })

  it('replaces an owner by one of 50 simultaneous ones, and only while the key has the expected owner', async () => {
    const store = open()
    expect(await store.replace('sum', 'a', 'b')).toBe(false)
    await store.claim('sum', 'a')
    const replaced = await Promise.all(fifty.map((owner) => store.replace('sum', 'a', `owner ${owner}`)))
    expect(replaced.filter(Boolean)).toHaveLength(1)
    const owner = `owner ${replaced.indexOf(true)}`
    expect(await store.claim('sum', 'c')).toBe(owner)
    expect([await store.replace('sum', 'a', 'b'), await store.replace('sum', owner, 'b')]).toEqual([
      false,
      true,
    ])
    expect(await store.claim('sum', 'c')).toBe('b')
  })

  // security: site-18
  it('sums no more of 50 simultaneous uses than a rule allows', async () => {
    const store = open()
    const { rule } = await ruleParts({ rule: { budget: { amount: '€350.00', per: 'month', uses: 8 } } })
    const statement: RuleStatement = JSON.parse(rule.statement_text)
    const budget = { ...rule.budget, cost: 5_000 }
    const added = await Promise.all(fifty.map(() => addUse(store, { statement, budget })))
    expect(added.filter(Boolean)).toHaveLength(7)
  })
})

describe('memoryUsed', () => {
  it('keeps 3,000 entries that are valid, and forgets those that have expired', () => {
    const store = memoryUsed()
    for (let index = 0; index < 3000; index++) {
      store.claim(`kept ${index}`, 'a')
      store.claim(`expired ${index}`, 'a', new Date(0))
    }
    const first = (name: string) =>
      Array.from({ length: 3000 }, (_, index) => store.claim(`${name} ${index}`, 'b'))
    expect(first('kept').every((owner) => owner === 'a')).toBe(true)
    expect(first('expired').filter((owner) => owner === 'b').length).toBeGreaterThan(500)
  })
})

describe('sqlUsed', () => {
  it('stores until when an entry is needed, in seconds', async () => {
    await sqlUsed(run).claim('until', 'a', until)
    const rows = await run("SELECT CAST(until AS TEXT) AS until FROM beak_used WHERE key = 'until'", [])
    expect(rows).toEqual([{ until: '1893456001' }])
  })

  it('writes the placeholders that the driver expects', async () => {
    const texts: string[] = []
    const record: RunSql = (text) => {
      texts.push(text)
      return [{ owner: 'a' }]
    }
    await sqlUsed(record).claim('k', 'a')
    await sqlUsed(record, { placeholders: '?' }).claim('k', 'a')
    expect(texts[0]).toContain('VALUES ($1, $2, $3)')
    expect(texts[1]).toContain('VALUES (?, ?, ?)')
  })

  it('fails when the database returns nothing, so that the shop does not act', async () => {
    await expect(sqlUsed(() => []).claim('k', 'a')).rejects.toThrow('no owner')
  })
})

describe.each<[string, () => PinStore]>([
  ['memoryPins', memoryPins],
  ['sqlPins', () => sqlPins(run)],
])('%s', (name, open) => {
  const pin = (id: string) => ({ credential_id: id, public_key: `key of ${id}` })

  it('keeps each pin of a person once', async () => {
    const store = open()
    expect(await store.get(`${name} a`)).toEqual([])
    for (const id of ['x', 'y', 'x']) await store.add(`${name} a`, pin(id))
    await store.add(`${name} b`, pin('z'))
    expect(await store.get(`${name} a`)).toEqual([pin('x'), pin('y')])
    expect(await store.get(`${name} b`)).toEqual([pin('z')])
  })

  it('adds one first pin of 50 simultaneous ones', async () => {
    const store = open()
    await Promise.all(fifty.map((id) => store.addFirst(`${name} c`, pin(id))))
    const kept = await store.get(`${name} c`)
    expect(kept).toHaveLength(1)
    await store.addFirst(`${name} c`, pin('late'))
    expect(await store.get(`${name} c`)).toEqual(kept)
    await store.add(`${name} c`, pin('more'))
    expect(await store.get(`${name} c`)).toHaveLength(2)
  })
})

describe.each<[string, () => CheckpointStore]>([
  ['memoryCheckpoints', memoryCheckpoints],
  ['sqlCheckpoints', () => sqlCheckpoints(run)],
])('%s', (name, open) => {
  const checkpoint = (size: number, isProven = true, root = `root ${size}`) => ({
    origin: `${name} log`,
    size,
    root,
    note: `note ${size}`,
    isProven,
  })

  it('keeps the largest of 50 simultaneous checkpoints of each kind', async () => {
    const store = open()
    expect(await store.get(`${name} log`)).toEqual([])
    const large = 2 ** 53 - 1
    await Promise.all(fifty.map((size) => store.keep(checkpoint(Number(size)))))
    await store.keep(checkpoint(large, false))
    await store.keep(checkpoint(large, false, 'another root'))
    const kept = [...(await store.get(`${name} log`))].sort((left, right) => left.size - right.size)
    expect(kept).toEqual([checkpoint(49), checkpoint(large, false)])
    expect(await store.get(`${name} other`)).toEqual([])
  })

  it('keeps the first fork', async () => {
    const store = open()
    await store.keepFork({ origin: `${name} log`, remembered: 'a', found: 'b' })
    await store.keepFork({ origin: `${name} log`, remembered: 'c', found: 'd' })
    if (name !== 'sqlCheckpoints') return
    expect(await run('SELECT remembered, found FROM beak_forks', [])).toEqual([
      { remembered: 'a', found: 'b' },
    ])
  })
})
