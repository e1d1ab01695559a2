/** What a check of the data finds: rules, and the rows that break them. */

import { chainStart } from '@beak/proofs/audit/chain-start'
import { isIntact } from '@beak/proofs/audit/hash'
import { areEqual } from '@beak/proofs/bytes'
import { rootOf } from '@beak/proofs/log/merkle'
import { fold, tileWidth } from '@beak/proofs/log/tiles'
import type { ClientBase, PoolClient } from 'pg'
import { readBatches } from '@/lib/db/batch'
import type { Tx } from '@/lib/db/client'
import { pipeline } from '@/lib/db/connections'
import { onDedicatedConnection } from '@/lib/db/dedicated'
import type { AuditEvent } from '@/lib/db/generated/client'
import { type Queries, queriesOn } from '@/lib/db/sql'
import { presentEvent } from '@/lib/domain/audit/schema'
import { readHashes, readTree } from '@/lib/domain/tlog/tree'
import { rules } from './rules'

/** A rule that some rows break. */
export interface Contradiction {
  /** The rule, as a sentence without a full stop. */
  rule: string
  /** The first rows that break it. */
  rows: string[]
  /** How many rows break it. */
  count: number
}

/** Rows that are named for each rule. A damaged database may have millions. */
const namedMax = 20

/** Collects the rows that break one rule. */
class Collected {
  readonly rows: string[] = []
  count = 0

  constructor(readonly rule: string) {}

  add(row: string): void {
    this.count++
    if (this.rows.length < namedMax) this.rows.push(row)
  }
}

/** Checks every audit log: a chain that has each event once and ends where its head says. */

const eventRule = 'Every event of an audit log follows the event before it and has the hash of its content'
const headRule = 'Every audit log ends with the event that its head names'

async function checkEvents(client: ClientBase): Promise<{ events: number; broken: Collected }> {
  const broken = new Collected(eventRule)
  let events = 0
  let last = { ducklingId: '', seq: 0, hash: chainStart }
  const query = 'SELECT * FROM "AuditEvent" ORDER BY "ducklingId", "seq"'
  for await (const rows of readBatches<AuditEvent>(client, query))
    for (const row of rows) {
      if (row.ducklingId !== last.ducklingId) last = { ducklingId: row.ducklingId, seq: 0, hash: chainStart }
      const event = JSON.parse(JSON.stringify(presentEvent(row)))
      if (row.seq !== last.seq + 1 || row.prevHash !== last.hash || !(await isIntact(event, row.ducklingId)))
        broken.add(`event ${row.seq} of ${row.ducklingId}`)
      last = { ducklingId: row.ducklingId, seq: row.seq, hash: row.hash }
      events++
    }
  return { events, broken }
}

/** Both sides, so that neither a head without events nor events without a head are missed. */
const wrongHeads = `
  SELECT COALESCE(c."ducklingId", e."ducklingId") AS "id" FROM "AuditChain" c
  FULL JOIN (SELECT DISTINCT ON ("ducklingId") "ducklingId", "seq", "hash", "prevHash" FROM "AuditEvent" ORDER BY "ducklingId", "seq" DESC) e
    ON e."ducklingId" = c."ducklingId"
  WHERE e."seq" IS DISTINCT FROM c."seq" OR e."hash" IS DISTINCT FROM c."hash" OR e."prevHash" IS DISTINCT FROM c."prevHash"`

async function checkHeads(client: ClientBase): Promise<Collected> {
  const wrong = new Collected(headRule)
  for await (const rows of readBatches<{ id: string }>(client, wrongHeads))
    for (const { id } of rows) wrong.add(id)
  return wrong
}

/** Reads every audit log. Works only inside a transaction. Returns the number of events. */
export async function checkChains(
  client: ClientBase,
): Promise<{ events: number; contradictions: Contradiction[] }> {
  const { events, broken } = await checkEvents(client)
  return { events, contradictions: [broken, await checkHeads(client)] }
}

/** Checks the transparency log: entries without a gap, hashes of their bytes, and the root of the newest checkpoint. */

async function checkLeaves(client: ClientBase): Promise<{ entries: number; wrong: Collected }> {
  const wrong = new Collected(
    'The entries of the transparency log are numbered without a gap and have the hashes of their bytes',
  )
  let entries = 0
  const query = `
    SELECT "index", "leafHash" = sha256('\\x00'::bytea || "data") AS "isIntact" FROM "LogEntry" ORDER BY "index"`
  for await (const rows of readBatches<{ index: bigint; isIntact: boolean }>(client, query))
    for (const { index, isIntact } of rows) {
      if (Number(index) !== entries || !isIntact) wrong.add(`entry ${index}`)
      entries++
    }
  return { entries, wrong }
}

/** Hashes of tiles are served as they are stored, so each is compared with the hashes below it. */
async function checkTiles(client: ClientBase, queries: Queries, entries: number): Promise<Collected> {
  const wrong = new Collected('Every stored hash of the transparency log is the root of the hashes below it')
  const query = 'SELECT "level", "index", "hash" FROM "LogHash" ORDER BY "level", "index"'
  let count = 0
  for await (const rows of readBatches<{ level: number; index: bigint; hash: Uint8Array }>(client, query))
    for (const { level, index, hash } of rows) {
      count++
      const below = await readHashes(queries as Tx, level - 1, Number(index) * tileWidth, tileWidth)
      if (below.length !== tileWidth || !areEqual(fold(below), new Uint8Array(hash)))
        wrong.add(`level ${level}, hash ${index}`)
    }
  let expected = 0
  for (let level = Math.floor(entries / tileWidth); level > 0; level = Math.floor(level / tileWidth))
    expected += level
  if (count !== expected) wrong.add(`${count} hashes instead of ${expected}`)
  return wrong
}

async function checkCheckpoint(queries: Queries, entries: number): Promise<Collected> {
  const wrong = new Collected('The entries of the transparency log give the root of its newest checkpoint')
  const [newest] = await queries.rows<{ size: bigint; root: Uint8Array }>`
    SELECT "size", "root" FROM "LogCheckpoint" ORDER BY "createdAt" DESC, "size" DESC LIMIT 1`
  if (newest === undefined) return wrong
  const size = Number(newest.size)
  if (size > entries || !(await hasRoot(queries, size, newest.root)))
    wrong.add(`checkpoint of ${size} entries`)
  return wrong
}

/** The tree cannot be read when hashes are missing. */
async function hasRoot(queries: Queries, size: number, root: Uint8Array): Promise<boolean> {
  try {
    return areEqual(await rootOf(size, readTree(queries as Tx, size)), new Uint8Array(root))
  } catch {
    return false
  }
}

/** Reads the whole transparency log. Works only inside a transaction. Returns the number of entries. */
export async function checkLog(
  client: ClientBase,
  queries: Queries,
): Promise<{ entries: number; contradictions: Contradiction[] }> {
  const { entries, wrong } = await checkLeaves(client)
  const tiles = await checkTiles(client, queries, entries)
  return { entries, contradictions: [wrong, tiles, await checkCheckpoint(queries, entries)] }
}

/** Reads all data and says which rows contradict each other (contract E, Check of the data). */

export interface Checked {
  events: number
  entries: number
  rules: number
  /** Only rules that are broken. */
  contradictions: Contradiction[]
}

/** Checks one of the rules that are a query. @internal */
export async function checkRule(client: ClientBase, rule: string, query: string): Promise<Contradiction> {
  const broken = new Collected(rule)
  for await (const rows of readBatches<{ id: string }>(client, query))
    for (const { id } of rows) broken.add(id)
  return broken
}

/** Checks the rows that the open transaction of a connection sees. @internal */
export async function checkRows(client: ClientBase): Promise<Checked> {
  // The settings of connections for requests are for statements that read few rows.
  for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'])
    await client.query(`SET LOCAL ${setting} = on`)
  const chains = await checkChains(client)
  const log = await checkLog(client, queriesOn(pipeline(client as PoolClient)))
  const found = [...chains.contradictions, ...log.contradictions]
  for (const [rule, query] of Object.entries(rules)) found.push(await checkRule(client, rule, query))
  return {
    events: chains.events,
    entries: log.entries,
    rules: found.length,
    contradictions: found.filter(({ count }) => count > 0),
  }
}

/**
 * Checks audit logs, transparency log, single-use rows, queues and accounts as they are at one moment. Changes nothing. With the embedded
 * database, requests wait meanwhile.
 */
export function checkData(): Promise<Checked> {
  return onDedicatedConnection(async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const checked = await checkRows(client)
    await client.query('COMMIT')
    return checked
  })
}
