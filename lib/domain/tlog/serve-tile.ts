/** Serves the tiles of the log over HTTP (C2SP tlog-tiles). */

import {
  encodeEntries,
  encodeHashes,
  parseTilePath,
  type Tile,
  tileWidth,
  widthOf,
} from '@beak/client/verify/log/tiles'
import { db } from '@/lib/db/client'
import type { Fails } from '@/lib/kernel/context'
import { getCheckpoint } from './published'
import { readHashes } from './tree'

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
