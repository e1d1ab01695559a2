/** Reads published checkpoints of the log. */

import type { Hash } from '@beak/proofs/log/merkle'
import {
  encodeEntries,
  encodeHashes,
  parseTilePath,
  type Tile,
  tileWidth,
  widthOf,
} from '@beak/proofs/log/tiles'
import { db, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import type { Fails } from '@/lib/kernel/request/context'
import { originSql } from './origin'
import { readHashes } from './tree'

export interface PublishedCheckpoint {
  /** The name of the log. */
  origin: string
  size: number
  root: Hash
  /** The signed note, with the cosignatures of witnesses. */
  note: string
  cosignatures: number
  signedAt: Date
  /** The last checkpoint of the log that this one continues, as a signed note. Null for most logs. */
  continued: string | null
  /** When this log continued the other one. */
  continuedAt: Date | null
}

/**
 * Returns the newest checkpoint of this origin, or null when there is none yet. Also null while only distrusted keys have signed this
 * size: an older checkpoint would show a log that shrank. The new key signs within seconds.
 */
export function findCheckpoint(tx: Tx): Promise<PublishedCheckpoint | null> {
  return readCheckpoint(
    tx,
    originSql(),
    sql`(SELECT max(m."size") FROM "LogCheckpoint" m WHERE m."origin" = n."origin")`,
  )
}

/** Returns the checkpoint of that size, which may be an old one. Null when no trusted key has signed it. */
export function findCheckpointOfSize(
  tx: Tx,
  origin: string,
  size: number,
): Promise<PublishedCheckpoint | null> {
  return readCheckpoint(tx, sql`${origin}::text`, sql`${size}::bigint`)
}

async function readCheckpoint(tx: Tx, origin: Sql, size: Sql): Promise<PublishedCheckpoint | null> {
  const [row] = await tx.rows<{
    size: bigint
    root: Uint8Array
    note: string
    cosignatures: number
    signedAt: Date
    origin: string
    continued: string | null
    continuedAt: Date | null
  }>`
    SELECT c."origin", c."size", c."root", c."note" || w."lines" AS "note", w."cosignatures", c."createdAt" AS "signedAt",
      before."continues" AS "continued", before."createdAt" AS "continuedAt"
    FROM (SELECT ${origin} AS "origin") n JOIN "LogCheckpoint" c ON c."origin" = n."origin"
    JOIN "SigningKey" k ON k."kid" = c."kid" AND k."distrustedAt" IS NULL
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS "cosignatures", COALESCE(string_agg(rtrim(s."line", E'\\n') || E'\\n', '' ORDER BY s."witness"), '') AS "lines"
      FROM "LogCosignature" s WHERE s."origin" = c."origin" AND s."size" = c."size") w
    LEFT JOIN "LogName" before ON before."origin" = c."origin" AND before."continues" IS NOT NULL
    WHERE c."size" = ${size}
    ORDER BY c."createdAt" DESC LIMIT 1`
  return row === undefined ? null : { ...row, size: Number(row.size), root: new Uint8Array(row.root) }
}

/** Returns the newest checkpoint. Throws `checkpoint_not_found` when `findCheckpoint` returns null. */
export async function getCheckpoint(
  tx: Tx,
  context: Fails<'checkpoint_not_found'>,
): Promise<PublishedCheckpoint> {
  const checkpoint = await findCheckpoint(tx)
  if (checkpoint === null) throw context.fail('checkpoint_not_found')
  return checkpoint
}

/** Returns the newest checkpoint as a signed note with its cosignatures. Throws `checkpoint_not_found`. */
export async function getCheckpointNote(context: Fails<'checkpoint_not_found'>): Promise<string> {
  return (await getCheckpoint(db(), context)).note
}

/** Serves the tiles of the log over HTTP (C2SP tlog-tiles). */

/**
 * Returns the bytes of the tile at a path such as `tile/0/x001/067`. The newest checkpoint decides what exists. Every narrower width of a tile
 * exists too, so that a client with an older checkpoint finds its tiles. Throws `tile_not_found`, or `checkpoint_not_found`.
 */
export async function getTile(
  context: Fails<'checkpoint_not_found' | 'tile_not_found'>,
  path: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const tile = parseTilePath(path)
  if (tile === null) throw context.fail('tile_not_found')
  const { size } = await getCheckpoint(db(), context)
  if (tile.width > widthOf(tile.level === 'entries' ? 0 : tile.level, tile.index, size))
    throw context.fail('tile_not_found')
  return readTile(tile)
}

async function readTile({ level, index, width }: Tile): Promise<Uint8Array<ArrayBuffer>> {
  const first = index * tileWidth
  if (level !== 'entries') return new Uint8Array(encodeHashes(await readHashes(db(), level, first, width)))
  const entries = await db().logEntry.findMany({
    where: { index: { gte: first, lt: first + width } },
    orderBy: { index: 'asc' },
    select: { data: true },
  })
  return new Uint8Array(encodeEntries(entries.map(({ data }) => data)))
}
