import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTiles, type ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import { parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { parseNote } from '@beak/proofs/log/note'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ALog, aGrowingLog, aLog } from '@/lib/fixtures/logs'
import { signersOf } from '@/lib/fixtures/witness-process'
import { addCheckpoint, aNewNoteSigner, aWitness } from '@/lib/fixtures/witnesses'
import { copyTiles, mirrorFolder, readCheckedEntries, readMirror, startMirror } from './mirror'

const origin = 'pond.example/.well-known/tlog'
const signer = aNewNoteSigner(origin)
const textOf = (index: number) => `entry ${index}`
const logOf = (size: number, text = textOf): Promise<ALog> =>
  aLog(
    Array.from({ length: size }, (_, index) => Buffer.from(text(index))),
    signer,
  )
const newFolder = () => mkdtempSync(join(tmpdir(), 'beak-mirror-'))

/** Reads everything in a mirror and checks it against its checkpoint. Returns its entries. */
async function entriesOf(folder: string): Promise<string[]> {
  const readFile = readMirror(folder)
  const note = Buffer.from((await readFile('checkpoint')) ?? []).toString()
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
  if (checkpoint === null) throw new Error('the mirror has no checkpoint')
  const tiles = await openTiles(checkpoint, readFile)
  const entries: string[] = []
  for (let index = 0; index * 256 < checkpoint.size; index++)
    for (const entry of await readCheckedEntries(tiles, index)) entries.push(Buffer.from(entry).toString())
  return entries
}

const expected = (size: number) => Array.from({ length: size }, (_, index) => textOf(index))

describe('copyTiles', () => {
  it.each([1, 255, 256, 257, 700])(
    'copies a log of %i entries that can be read without the service',
    async (size) => {
      const folder = newFolder()
      const log = await logOf(size)
      await copyTiles(folder, log.checkpoint, log.readFile)
      expect(await entriesOf(folder)).toEqual(expected(size))
    },
  )

  it('fetches only what it has not got while the log grows, and removes old partial tiles', async () => {
    const folder = newFolder()
    for (const size of [3, 300, 511, 513, 1100]) {
      const log = await logOf(size)
      const fetched: string[] = []
      const readFile: ReadLogFile = (path) => {
        fetched.push(path)
        return log.readFile(path)
      }
      await copyTiles(folder, log.checkpoint, readFile)
      expect(await entriesOf(folder), `${size}`).toEqual(expected(size))
      if (size === 1100) expect(fetched).not.toContain('tile/entries/000')
    }
    expect(readdirSync(join(folder, 'tile/entries/004.p'))).toEqual(['76'])
    expect(readdirSync(join(folder, 'tile/0/001.p'))).toEqual([])
  })

  it.each<[string, (log: ALog) => ReadLogFile]>([
    [
      'another entry',
      ({ readFile }) =>
        async (path) =>
          path.startsWith('tile/entries/') ? other('x', 40) : readFile(path),
    ],
    [
      'another hash',
      ({ readFile }) =>
        async (path) =>
          path.startsWith('tile/0/') ? new Uint8Array(40 * 32) : readFile(path),
    ],
    [
      'a missing tile',
      ({ readFile }) =>
        async (path) =>
          path.startsWith('tile/0/') ? null : readFile(path),
    ],
  ])('keeps the old checkpoint when the log sends %s', async (_, lie) => {
    const folder = newFolder()
    const first = await logOf(30)
    await copyTiles(folder, first.checkpoint, first.readFile)
    const next = await logOf(40)
    await expect(copyTiles(folder, next.checkpoint, lie(next))).rejects.toThrow()
    expect(await entriesOf(folder)).toEqual(expected(30))
  })

  it('continues a copy that was interrupted, with the files that it has', async () => {
    const folder = newFolder()
    const log = await logOf(1000)
    let left = 6
    const breaking: ReadLogFile = async (path) => {
      if (path.startsWith('tile/entries/') && --left < 4) throw new Error('the line broke')
      return log.readFile(path)
    }
    await expect(copyTiles(folder, log.checkpoint, breaking)).rejects.toThrow('the line broke')
    expect(existsSync(join(folder, 'checkpoint'))).toBe(false)
    const fetched: string[] = []
    await copyTiles(folder, log.checkpoint, (path) => {
      fetched.push(path)
      return log.readFile(path)
    })
    expect(fetched).not.toContain('tile/entries/000')
    expect(await entriesOf(folder)).toEqual(expected(1000))
  })

  it('fetches a damaged file again', async () => {
    const folder = newFolder()
    const log = await logOf(300)
    await copyTiles(folder, log.checkpoint, log.readFile)
    writeFileSync(join(folder, 'tile/1/000.p/1'), new Uint8Array(32))
    const next = await logOf(301)
    await copyTiles(folder, next.checkpoint, next.readFile)
    expect(await entriesOf(folder)).toEqual(expected(301))
  })

  it('does not go back to an older checkpoint', async () => {
    const folder = newFolder()
    const [old, log] = [await logOf(5), await logOf(9)]
    await copyTiles(folder, log.checkpoint, log.readFile)
    await copyTiles(folder, old.checkpoint, old.readFile)
    expect(readFileSync(join(folder, 'checkpoint'), 'utf8')).toBe(log.checkpoint)
  })
})

/** Returns a bundle of `count` entries that all have this text. */
function other(text: string, count: number): Uint8Array {
  return Buffer.concat(
    Array.from({ length: count }, () => Buffer.from(`\0${String.fromCharCode(text.length)}${text}`)),
  )
}

describe('startMirror', () => {
  it('prints a failure, and copies the next checkpoint', async () => {
    const folder = newFolder()
    const lines: string[] = []
    const log = await logOf(9)
    let isDown = true
    const readRemote: ReadLogFile = async (path) => {
      if (isDown) throw new Error('the log is down')
      return log.readFile(path)
    }
    const mirror = startMirror({ folder, readRemote, print: (line) => void lines.push(line) })
    mirror.update(log.checkpoint)
    await mirror.idle()
    expect(lines).toEqual(['MIRROR: the log is down'])
    isDown = false
    mirror.update(log.checkpoint)
    await mirror.idle()
    expect(await entriesOf(folder)).toEqual(expected(9))
  })
})

describe('mirrorFolder', () => {
  it('never leaves the folder', () => {
    expect(mirrorFolder('/m', origin)).toBe('/m/pond.example_.well-known_tlog')
    for (const name of ['..', '../../etc', '/etc', '.'])
      expect(mirrorFolder('/m', name)).toMatch(/^\/m\/_[^/]*$/)
  })
})

describe('npm run witness -- --mirror', () => {
  /** Serves a log below an address, and counts the requests. `state.log` is null while it is down. */
  async function aLogServer() {
    const state: { log: ALog | null } = { log: null }
    const server = createServer((request, response) => {
      const bytes = state.log?.files.get((request.url ?? '').slice('/log/'.length))
      response.writeHead(state.log === null ? 500 : bytes === undefined ? 404 : 200).end(bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/log` }
  }

  it('keeps a copy with its cosignature, cosigns while the log is down, and catches up after a restart', async () => {
    const growing = aGrowingLog(signer, textOf)
    const { state, url } = await aLogServer()
    const folder = newFolder()
    const more = ['--mirror', folder, '--log-url', url]
    const options = { logs: [signer.key], name: 'witness.example/w', more }
    const witness = await aWitness(options)
    const own = mirrorFolder(folder, origin)
    const kept = async () => (existsSync(join(own, 'checkpoint')) ? (await entriesOf(own)).length : 0)
    state.log = await logOf(300)
    expect((await addCheckpoint(witness.url, await growing.request(0, 300))).code).toBe(200)
    await expect.poll(kept, { timeout: 10_000 }).toBe(300)
    expect(await signersOf(readFileSync(join(own, 'checkpoint'), 'utf8'), [witness.key])).toEqual([
      witness.vkey,
    ])
    state.log = null
    expect((await addCheckpoint(witness.url, await growing.request(300, 600))).code).toBe(200)
    await expect.poll(() => witness.output(), { timeout: 10_000 }).toContain('MIRROR: ')
    expect(await kept()).toBe(300)
    await witness.stop('SIGKILL')
    state.log = await logOf(600)
    await aWitness({ ...options, folder: witness.folder })
    await expect.poll(kept, { timeout: 10_000 }).toBe(600)
  })
})
