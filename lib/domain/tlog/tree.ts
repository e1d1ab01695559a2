/**
 * The tree of the log in the database. `LogEntry` has the hashes of level 0. `LogHash` has the levels above, where each hash is the
 * root of 256 hashes of the level below.
 */

import { hex } from '@beak/proofs/bytes'
import type { Hash, ReadSubtree } from '@beak/proofs/log/merkle'
import { fold, subtreesFrom, tileWidth } from '@beak/proofs/log/tiles'
import { Prisma, type Tx } from '@/lib/db/client'

/** Returns the hashes `first` up to `first + count` of a level, in order. Returns fewer when the log does not have them. */
export async function readHashes(tx: Tx, level: number, first: number, count: number): Promise<Hash[]> {
  const source =
    level === 0
      ? Prisma.sql`"leafHash" AS "hash" FROM "LogEntry" WHERE`
      : Prisma.sql`"hash" FROM "LogHash" WHERE "level" = ${level}::int AND`
  const rows = await tx.rows<{ hash: Uint8Array }>`
    SELECT ${source} "index" >= ${first}::bigint AND "index" < ${first + count}::bigint ORDER BY "index"`
  return rows.map(({ hash }) => new Uint8Array(hash))
}

/** Reads the tree of the first `size` entries. Each tile is read once, with one statement. */
export function readTree(tx: Tx, size: number): ReadSubtree {
  return subtreesFrom(size, ({ level, index, width }) => readHashes(tx, level, index * tileWidth, width))
}

/** Stores the hashes of the full tiles that `leaves` complete. `first` is the index of the first of the new leaves. */
export async function storeHashes(tx: Tx, first: number, leaves: Hash[]): Promise<void> {
  let [start, hashes] = [first, leaves]
  for (let level = 1; hashes.length > 0; level++) {
    const tile = Math.floor(start / tileWidth)
    const before = start % tileWidth
    const full = Math.floor((before + hashes.length) / tileWidth)
    if (full === 0) return
    const children =
      before === 0 ? hashes : [...(await readHashes(tx, level - 1, tile * tileWidth, before)), ...hashes]
    const parents = Array.from({ length: full }, (_, n) =>
      fold(children.slice(n * tileWidth, (n + 1) * tileWidth)),
    )
    await insertHashes(tx, level, tile, parents)
    start = tile
    hashes = parents
  }
}

async function insertHashes(tx: Tx, level: number, first: number, hashes: Hash[]): Promise<void> {
  await tx.run`
    INSERT INTO "LogHash" ("level", "index", "hash")
    SELECT ${level}::int, ${first}::bigint + n - 1, decode(hash, 'hex')
    FROM unnest(${hashes.map(hex)}::text[]) WITH ORDINALITY AS t(hash, n)`
}
