import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { entryKinds } from '@beak/proofs/log/entry'
import { type Hash, hashOfLeaf, rootOf } from '@beak/proofs/log/merkle'
import { parseNote } from '@beak/proofs/log/note'
import {
  decodeEntries,
  decodeHashes,
  subtreesFrom,
  type Tile,
  tilePath,
  widthOf,
} from '@beak/proofs/log/tiles'
import { describe, expect, it } from 'vitest'
import { call, callRaw } from '@/app/beak/_api/call'
import { appendNow, newestCheckpoint, pendingEntries } from '@/lib/fixtures/tlog'

const address = (tile: Tile) => `GET /.well-known/tlog/${tilePath(tile)}`

async function fetchTile(tile: Tile): Promise<Uint8Array> {
  const response = await callRaw(address(tile))
  expect([tilePath(tile), response.status]).toEqual([tilePath(tile), 200])
  return new Uint8Array(await response.arrayBuffer())
}

/** Reads subtrees as a client of C2SP tlog-tiles does: from tiles over HTTP. */
const readOverHttp = (size: number) =>
  subtreesFrom(size, async (tile) => {
    const hashes = decodeHashes(await fetchTile(tile), tile.width)
    if (hashes === null) throw new Error(`${tilePath(tile)} has a wrong length`)
    return hashes
  })

async function checkpointOverHttp() {
  const note = parseNote(await (await callRaw('GET /.well-known/tlog/checkpoint')).text())
  const checkpoint = parseCheckpoint(note?.text ?? '')
  if (checkpoint === null) throw new Error('the checkpoint is malformed')
  return checkpoint
}

/** Computes the leaf hashes of the first `size` entries. */
async function leavesOverHttp(size: number): Promise<Hash[]> {
  const leaves: Hash[] = []
  for (let index = 0; leaves.length < size; index++) {
    const tile = { level: 'entries', index, width: widthOf(0, index, size) } as const
    const entries = decodeEntries(await fetchTile(tile), tile.width)
    leaves.push(...(entries ?? []).map(hashOfLeaf))
  }
  return leaves
}

describe('200', () => {
  it('lets a client recompute the root of every checkpoint', async () => {
    const first = (await appendNow()).size
    const older: { size: number; root: Hash }[] = []
    for (const count of [255 - (first % 256), 1, 1, 254, 1, 188]) {
      await pendingEntries(count)
      await appendNow()
      const { size, root } = await checkpointOverHttp()
      older.push({ size, root })
    }
    expect(older.at(-1)?.size).toBeGreaterThanOrEqual(699)
    for (const { size, root } of older)
      expect(await rootOf(size, readOverHttp(size)), `size ${size}`).toEqual(root)
    const { size } = await checkpointOverHttp()
    const leaves = await leavesOverHttp(size)
    for (const tile of [0, 1]) {
      const width = widthOf(0, tile, size)
      const hashes = decodeHashes(await fetchTile({ level: 0, index: tile, width }), width)
      expect(hashes).toEqual(leaves.slice(tile * 256, tile * 256 + width))
    }
  })

  it('is binary and can be cached forever', async () => {
    await pendingEntries(1)
    await appendNow()
    const { status, headers } = await callRaw('GET /.well-known/tlog/tile/0/000.p/1')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('has entries with only a kind and a digest', async () => {
    await pendingEntries(1)
    const { size } = await appendNow()
    const width = Math.min(size, 255)
    for (const entry of decodeEntries(await fetchTile({ level: 'entries', index: 0, width }), width) ?? [])
      expect(String(Buffer.from(entry))).toMatch(
        new RegExp(`^\\{"digest":"[0-9a-f]{64}","kind":"(${entryKinds.join('|')})"\\}$`),
      )
  })
})

describe('404', () => {
  it('returns E4005 for tiles beyond the checkpoint and for malformed paths', async () => {
    await pendingEntries(1)
    const { size } = await newestCheckpoint().catch(appendNow)
    const last = Math.floor(size / 256)
    const missing = [
      ...(size % 256 === 255 ? [] : [tilePath({ level: 0, index: last, width: (size % 256) + 1 })]),
      tilePath({ level: 0, index: last, width: 256 }),
      tilePath({ level: 'entries', index: last + 1, width: 1 }),
      'tile/5/000',
      'tile/0/0',
      'tile/0/000.p/256',
      'tile/x/000',
      'tile/0/000/extra',
      'tile/0/%30%30%30',
      'tile/0/x99/000',
    ]
    for (const path of missing) {
      const { status, body } = await call(`GET /.well-known/tlog/${path}`)
      expect([path, status, body.code]).toEqual([path, 404, 'E4005'])
    }
  })

  it('returns no entry that a checkpoint does not cover yet', async () => {
    const { size } = await appendNow()
    await pendingEntries(1)
    const tile = { level: 0, index: Math.floor(size / 256), width: (size % 256) + 1 } as const
    expect((await callRaw(address(tile))).status).toBe(404)
  })
})
