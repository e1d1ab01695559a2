/** The transparency log of real processes: read over HTTP without an account, and continued after the process was killed. */
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { hashOfLeaf, rootOf } from '@beak/proofs/log/merkle'
import { openNote, parseNote } from '@beak/proofs/log/note'
import {
  decodeEntries,
  decodeHashes,
  subtreesFrom,
  type Tile,
  tilePath,
  widthOf,
} from '@beak/proofs/log/tiles'
import { parseVerifierKey } from '@beak/proofs/log/verifier-key'
import { expect, test } from './own-server'
import { eventually, newDataDir, send } from './server'

const get = (url: string, path: string) => fetch(`${url}/.well-known/tlog/${path}`)

async function fetchTile(url: string, tile: Tile): Promise<Uint8Array> {
  const response = await get(url, tilePath(tile))
  expect([tilePath(tile), response.status]).toEqual([tilePath(tile), 200])
  return new Uint8Array(await response.arrayBuffer())
}

/** Reads the whole log and checks signature, root and leaves. Returns the entries, or null while there is no checkpoint. */
async function readLog(url: string): Promise<string[] | null> {
  const response = await get(url, 'checkpoint')
  if (response.status === 404) return null
  const note = parseNote(await response.text())
  const keys = (await (await get(url, 'vkeys')).text()).trim().split('\n').map(parseVerifierKey)
  const known = keys.filter((key) => key !== null)
  expect(note && (await openNote(note, known))).toHaveLength(1)
  const checkpoint = parseCheckpoint(note?.text ?? '')
  const size = checkpoint?.size ?? 0
  const read = subtreesFrom(size, async (tile) => decodeHashes(await fetchTile(url, tile), tile.width) ?? [])
  expect(await rootOf(size, read)).toEqual(checkpoint?.root)
  const entries: Uint8Array[] = []
  for (let index = 0; entries.length < size; index++) {
    const width = widthOf(0, index, size)
    entries.push(...(decodeEntries(await fetchTile(url, { level: 'entries', index, width }), width) ?? []))
    const leaves = decodeHashes(await fetchTile(url, { level: 0, index, width }), width)
    expect(entries.slice(index * 256).map(hashOfLeaf)).toEqual(leaves)
  }
  return entries.map((entry) => String(Buffer.from(entry)))
}

async function signUp(url: string, count: number): Promise<number> {
  const names = Array.from({ length: count }, (_, n) => `d${n}-${Math.random()}`)
  const answers = await Promise.all(
    names.map((name) =>
      send({ url }, 'POST /beak/signup', {
        body: { email: `${name}@example.com`, display_name: 'Mallard' },
      }).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  )
  return answers.filter((status) => status === 200).length
}

test.describe('the log of a server that is killed', () => {
  test('continues after each start from its last entry', async ({ start }) => {
    test.setTimeout(180_000)
    const dataDir = newDataDir()
    let earlier: string[] = []
    let acknowledged = 0
    for (let round = 0; round < 3; round++) {
      // At each start the log writes a checkpoint for its address, and each port is a new address.
      const killed = await start({ dataDir })
      await killed.stop('SIGKILL')
      const server = await start({ dataDir })
      const entries = await eventually(() => readLog(server.url))
      expect(entries.slice(0, earlier.length)).toEqual(earlier)
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged)
      expect(new Set(entries).size).toBe(entries.length)
      earlier = entries
      acknowledged += await signUp(server.url, 40)
      const lost = signUp(server.url, 40)
      await server.stop('SIGKILL')
      await lost
    }
    expect(acknowledged).toBeGreaterThanOrEqual(120)
  })
})

test.describe('Next alone', () => {
  test('serves the checkpoint and its tiles, and no other path below /.well-known/tlog', async ({
    start,
  }) => {
    test.setTimeout(120_000)
    const dataDir = newDataDir()
    const server = await start({ dataDir })
    await signUp(server.url, 3)
    await server.stop()
    const next = await start({
      dataDir,
      command: ['node_modules/.bin/next', 'start'],
      ready: /Ready in/,
    })
    const entries = await eventually(() => readLog(next.url))
    expect(entries.length).toBeGreaterThanOrEqual(3)
    expect((await get(next.url, 'tile/0/x')).headers.get('content-type')).toBe('application/problem+json')
    expect((await get(next.url, 'nothing')).headers.get('content-type')).toBe('application/problem+json')
    await next.stop()
  })
})
