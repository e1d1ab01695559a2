/** Tiles (C2SP tlog-tiles v0.1.0): how a tree is cut into files of 256 hashes or entries, and what each file is called. */
import { joined } from '../bytes'
import { parseSize } from './checkpoint'
import { type Hash, hashLength, hashOfNode, type ReadSubtree } from './merkle'

/** The number of hashes in a full tile. Each hash is the root of 256^level entries. */
export const tileWidth = 256
/** A tile is a subtree of this height. */
const tileHeight = 8

export interface Tile {
  /** Level 0 has the hashes of entries. `entries` has the entries. */
  level: number | 'entries'
  index: number
  /** 256, or less for the last tile of its level. */
  width: number
}

/** Returns the path of a tile below the prefix of its log, for instance `tile/0/x001/234.p/5`. */
export function tilePath({ level, index, width }: Tile): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const groups = padded.match(/\d{3}/g) ?? []
  const name = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${name}${width === tileWidth ? '' : `.p/${width}`}`
}

/** Reads the path of a tile. Returns null for anything that `tilePath` does not write. */
export function parseTilePath(path: string): Tile | null {
  const [, levelText = '', groups = '', partial] =
    /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path) ?? []
  const index = parseSize(groups.replace(/\D/g, '').replace(/^0+(?=\d)/, ''))
  if (index === null) return null
  const level = levelText === 'entries' ? levelText : Number(levelText)
  const tile: Tile = { level, index, width: partial === undefined ? tileWidth : Number(partial) }
  const isInRange = tile.width < tileWidth || partial === undefined
  return isInRange && (level === 'entries' || level <= 63) && tilePath(tile) === path ? tile : null
}

/** Returns how many hashes tile `index` of a level has in a tree of `size` entries, 0 when the tile does not exist. */
export function widthOf(level: number, index: number, size: number): number {
  const count = Math.floor(size / tileWidth ** level)
  return Math.max(0, Math.min(tileWidth, count - index * tileWidth))
}

/** Returns the hashes of a tile, as many as its width. */
export type ReadTile = (tile: Tile & { level: number }) => Promise<Hash[]>

/** Returns a function that reads subtrees of a tree of `size` entries from its tiles. Reads each tile once. */
export function subtreesFrom(size: number, readTile: ReadTile): ReadSubtree {
  const tiles = new Map<string, Promise<Hash[]>>()
  const fetch = (level: number, index: number): Promise<Hash[]> => {
    const name = `${level}/${index}`
    const known = tiles.get(name)
    if (known) return known
    const reading = readTile({ level, index, width: widthOf(level, index, size) })
    tiles.set(name, reading)
    return reading
  }
  return async (height, index) => {
    const level = Math.floor(height / tileHeight)
    const count = 2 ** (height % tileHeight)
    const first = index * count
    const hashes = await fetch(level, Math.floor(first / tileWidth))
    return fold(hashes.slice(first % tileWidth, (first % tileWidth) + count))
  }
}

/** Returns the root of a full subtree. The number of hashes must be a power of two. */
export function fold(hashes: Hash[]): Hash {
  const [left, right, ...rest] = hashes
  if (left === undefined) throw new RangeError('The tile is shorter than the tree.')
  if (right === undefined) return left
  const pairs = [hashOfNode(left, right)]
  for (let place = 0; place + 1 < rest.length; place += 2)
    pairs.push(hashOfNode(rest[place] ?? left, rest[place + 1] ?? left))
  return fold(pairs)
}

/** Returns the bytes of a tile of hashes. */
export function encodeHashes(hashes: readonly Uint8Array[]): Uint8Array {
  return joined(...hashes)
}

/** Returns the hashes of a tile, or null when the number of bytes does not match the width. */
export function decodeHashes(bytes: Uint8Array, width: number): Hash[] | null {
  if (bytes.length !== width * hashLength) return null
  return Array.from({ length: width }, (_, place) =>
    bytes.subarray(place * hashLength, (place + 1) * hashLength),
  )
}

/** Returns the bytes of a bundle of entries: the length of each entry in two bytes, then the entry. Throws for an entry above 65,535 bytes. */
export function encodeEntries(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.some(({ length }) => length > 0xffff))
    throw new RangeError('An entry is too long for a bundle.')
  return joined(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]))
}

/** Returns the entries of a bundle, or null when the bytes are not exactly `width` entries. */
export function decodeEntries(bytes: Uint8Array, width: number): Uint8Array[] | null {
  const entries: Uint8Array[] = []
  let at = 0
  while (at + 2 <= bytes.length && entries.length < width) {
    const end = at + 2 + (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
    if (end > bytes.length) return null
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return at === bytes.length && entries.length === width ? entries : null
}
