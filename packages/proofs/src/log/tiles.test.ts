import { describe, expect, it } from 'vitest'
import {
  decodeEntries,
  decodeHashes,
  encodeEntries,
  encodeHashes,
  parseTilePath,
  tilePath,
  widthOf,
} from './tiles'

describe('tilePath', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, index: 5, width: 3 }, 'tile/0/005.p/3'],
    [{ level: 1, index: 999, width: 256 }, 'tile/1/999'],
    [{ level: 2, index: 1000, width: 255 }, 'tile/2/x001/000.p/255'],
    [{ level: 'entries', index: 1_234_067, width: 256 }, 'tile/entries/x001/x234/067'],
  ] as const)('writes %j as in the specification', (tile, path) => {
    expect(tilePath(tile)).toBe(path)
    expect(parseTilePath(path)).toEqual(tile)
  })

  it.each([
    'tile/0/0',
    'tile/0/0000',
    'tile/00/000',
    'tile/64/000',
    'tile/-1/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/x000/001',
    'tile/0/001/002',
    'tile/0/x001',
    'tile/0/000/',
    'tile/0/000.p',
    'tile/data/000',
    'tile/entries',
    'tile/0/x999/x999/x999/x999/x999/999',
    '/tile/0/000',
    'tile/0/000?x',
    '',
  ])('refuses %s', (path) => {
    expect(parseTilePath(path)).toBeNull()
  })
})

describe('widthOf', () => {
  it('returns the widths of the example in the specification, a tree of 70,000 entries', () => {
    const size = 70_000
    expect([widthOf(0, 272, size), widthOf(0, 273, size), widthOf(0, 274, size)]).toEqual([256, 112, 0])
    expect([widthOf(1, 0, size), widthOf(1, 1, size), widthOf(2, 0, size), widthOf(3, 0, size)]).toEqual([
      256, 17, 1, 0,
    ])
    expect([widthOf(0, 0, 256), widthOf(1, 0, 256)]).toEqual([256, 1])
  })
})

describe('the bytes of tiles', () => {
  const hashes = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const entries = [Uint8Array.of(1, 2, 3), new Uint8Array(0), new Uint8Array(300).fill(7)]

  it('are decoded to the same hashes and entries', () => {
    expect(decodeHashes(encodeHashes(hashes), 2)).toEqual(hashes)
    expect(decodeEntries(encodeEntries(entries), 3)).toEqual(entries)
  })

  it('are rejected when their number does not match the width', () => {
    expect(decodeHashes(encodeHashes(hashes), 1)).toBeNull()
    expect(decodeHashes(encodeHashes(hashes).subarray(1), 2)).toBeNull()
    const bundle = encodeEntries(entries)
    expect([decodeEntries(bundle, 2), decodeEntries(bundle, 4)]).toEqual([null, null])
    expect(decodeEntries(bundle.subarray(0, -1), 3)).toBeNull()
    expect(decodeEntries(Buffer.concat([bundle, Buffer.from([0])]), 3)).toBeNull()
  })
})
