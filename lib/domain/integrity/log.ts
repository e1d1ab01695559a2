/** Checks the transparency log: entries without a gap, hashes of their bytes, and the root of the newest checkpoint. */
import { areEqual } from '@beak/client/verify/bytes'
import { rootOf } from '@beak/client/verify/log/merkle'
import { fold, tileWidth } from '@beak/client/verify/log/tiles'
import type { ClientBase } from 'pg'
import type { Tx } from '@/lib/db/client'
import { readBatches } from '@/lib/db/cursor'
import type { Queries } from '@/lib/db/sql'
import { readHashes, readTree } from '@/lib/domain/tlog/tree'
import { Collected, type Contradiction } from './contradictions'

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
