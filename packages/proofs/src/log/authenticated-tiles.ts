/**
 * Reads the tiles of a log and checks them against the root of a signed checkpoint: the parent tile must have the root of each full
 * tile, and the last tiles of all levels together must give the root of the checkpoint.
 */
import { areEqual } from '../bytes'
import type { Checkpoint } from './checkpoint'
import { BrokenLog, logFault } from './log-fault'
import { type Hash, hashLength, type ReadSubtree, rootOf } from './merkle'
import {
  decodeEntries,
  decodeHashes,
  fold,
  subtreesFrom,
  type Tile,
  tilePath,
  tileWidth,
  widthOf,
} from './tiles'

/** Returns the bytes of a file of the log, for instance `checkpoint` or `tile/0/000`; null when there is none. */
export type ReadLogFile = (path: string) => Promise<Uint8Array | null>

export interface LogTiles {
  readSubtree: ReadSubtree
  /** Returns the hashes of up to 256 entries, from entry 256 × `index` on. */
  readLeaves(index: number): Promise<Hash[]>
  /** Returns whether the entry `index` has this hash. */
  hasLeaf(index: number, leafHash: Hash): Promise<boolean>
  /** Returns up to 256 entries, from entry 256 × `index` on. Does not compare them with their hashes. */
  readEntries(index: number): Promise<Uint8Array[]>
}

/** Tiles kept in memory, 8 KiB each. */
const tilesMax = 1024

/** Opens the tiles of the log at the size of the checkpoint. Throws `BrokenLog` when the tiles do not give the checkpoint's root. */
export async function openTiles({ size, root }: Checkpoint, readFile: ReadLogFile): Promise<LogTiles> {
  const tiles = new Map<string, Promise<Hash[]>>()
  const load = async (level: number, index: number): Promise<Hash[]> => {
    const tile = { level, index, width: widthOf(level, index, size) }
    const hashes = await readHashes(tile, readFile)
    if (tile.width < tileWidth) return hashes
    const parents = await read(level + 1, Math.floor(index / tileWidth))
    if (isHash(parents[index % tileWidth], fold(hashes))) return hashes
    throw broken(`${tilePath(tile)} does not give the hash that the tile above has for it`)
  }
  const read = (level: number, index: number): Promise<Hash[]> => {
    const name = `${level}/${index}`
    const known = tiles.get(name)
    if (known) return known
    const [oldest] = tiles.keys()
    if (tiles.size >= tilesMax && oldest !== undefined) tiles.delete(oldest)
    const loading = load(level, index)
    tiles.set(name, loading)
    return loading
  }
  const readSubtree = subtreesFrom(size, ({ level, index }) => read(level, index))
  if (!areEqual(await rootOf(size, readSubtree), root))
    throw broken(`its tiles do not give the root that its checkpoint of ${size} entries has`)
  return {
    readSubtree,
    readLeaves: (index) => read(0, index),
    hasLeaf: async (index, leafHash) => {
      if (index >= size) return false
      const leaves = await read(0, Math.floor(index / tileWidth))
      return isHash(leaves[index % tileWidth], leafHash)
    },
    readEntries: (index) => readBundle({ level: 'entries', index, width: widthOf(0, index, size) }, readFile),
  }
}

const isHash = (found: Hash | undefined, hash: Hash) => found !== undefined && areEqual(found, hash)

function broken(reason: string): BrokenLog {
  return new BrokenLog(
    logFault(
      'tiles',
      `The log contradicts itself: ${reason}. Its files were changed after they were signed.`,
    ),
  )
}

/** Returns the bytes of a tile, or of the full tile when the partial one was removed, as tlog-tiles requires. Throws `BrokenLog`. */
async function readTile(tile: Tile, readFile: ReadLogFile): Promise<{ bytes: Uint8Array; isFull: boolean }> {
  const exact = await readFile(tilePath(tile))
  if (exact) return { bytes: exact, isFull: tile.width === tileWidth }
  const full = tile.width < tileWidth ? await readFile(tilePath({ ...tile, width: tileWidth })) : null
  if (full) return { bytes: full, isFull: true }
  throw new BrokenLog(
    logFault('tiles', `The log has no ${tilePath(tile)}, although its checkpoint says that it exists.`),
  )
}

async function readHashes(tile: Tile, readFile: ReadLogFile): Promise<Hash[]> {
  const { bytes, isFull } = await readTile(tile, readFile)
  const hashes = decodeHashes(bytes, isFull ? tileWidth : tile.width)
  if (hashes === null)
    throw broken(`${tilePath(tile)} has ${bytes.length} bytes instead of ${tile.width * hashLength}`)
  return hashes.slice(0, tile.width)
}

async function readBundle(tile: Tile, readFile: ReadLogFile): Promise<Uint8Array[]> {
  const { bytes, isFull } = await readTile(tile, readFile)
  const entries = decodeEntries(bytes, isFull ? tileWidth : tile.width)
  if (entries === null) throw broken(`${tilePath(tile)} does not hold ${tile.width} entries`)
  return entries.slice(0, tile.width)
}
