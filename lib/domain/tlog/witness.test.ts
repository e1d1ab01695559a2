import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { base64 } from '@beak/proofs/bytes'
import { hashOfLeaf } from '@beak/proofs/log/merkle'
import { openNote, parseNote } from '@beak/proofs/log/note'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundleOf } from '@/lib/fixtures/bundle'
import { aGrowingLog, type GrowingLog } from '@/lib/fixtures/logs'
import { aFolder, signersOf } from '@/lib/fixtures/witness-process'
import { addCheckpoint, aNewNoteSigner, aWitness } from '@/lib/fixtures/witnesses'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { signNote } from './sign-note'
import { formatAddCheckpoint } from './witness'
import { folderStore, readWitnessKey, witnessServer } from './witness-server'

const origin = 'pond.example/.well-known/tlog'

/** A witness on a real socket in this process. */
async function aServer(logs: VerifierKey[], folder = aFolder()) {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const { key, privateKey } = await readWitnessKey(folder, null, 'witness.example/w1')
  const server = witnessServer({ key, privateKey, logs, store: folderStore(folder, say) }, say)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key, folder, said }
}

async function aWitnessedLog() {
  const log = aGrowingLog(aNewNoteSigner(origin))
  const witness = await aServer([log.key])
  const send = async (oldSize: number, size: number, from: GrowingLog = log) =>
    addCheckpoint(witness.url, await from.request(oldSize, size))
  return { log, send, ...witness }
}

const evidenceIn = (folder: string) => {
  try {
    return readdirSync(join(folder, 'evidence'))
  } catch {
    return []
  }
}

/** Returns the size that the witness has recorded: it is in the answer to a wrong old size. */
async function recordedSize(url: string, log: GrowingLog): Promise<number> {
  const { text, code, type } = await addCheckpoint(url, await log.request(1000, 1000))
  expect([code, type]).toEqual([409, 'text/x.tlog.size'])
  return Number(text)
}

describe('200', () => {
  it('returns a cosignature with the current time that openNote accepts', async () => {
    const { log, send, key } = await aWitnessedLog()
    const before = Math.floor(readClock().getTime() / 1000)
    const { code, text } = await send(0, 5)
    expect(code).toBe(200)
    const note = parseNote(`${await log.note(5)}${text}`)
    const [good] = (note && (await openNote(note, [key]))) ?? []
    expect(good?.key).toEqual(key)
    expect(good?.time).toBeGreaterThanOrEqual(before)
    expect(good?.time).toBeLessThanOrEqual(secondsAfter(readClock(), 1).getTime() / 1000)
  })

  it('cosigns a log that grows, and cosigns the same checkpoint again', async () => {
    const { send } = await aWitnessedLog()
    const sizes = [0, 1, 2, 2, 3, 8, 300]
    for (const [place, size] of sizes.entries())
      expect((await send(sizes[place - 1] ?? 0, size)).code, `${size}`).toBe(200)
  })

  it('accepts several good signatures and ignores those of unknown keys', async () => {
    const [old, next, stranger] = [aNewNoteSigner(origin), aNewNoteSigner(origin), aNewNoteSigner(origin)]
    const { url, key } = await aServer([old.key, next.key])
    const log = aGrowingLog(old)
    const note = await log.note(3)
    const { text = '' } = parseNote(note) ?? {}
    const both = `${note}${signNote(text, next.key, next.privateKey)}${signNote('other\n', stranger.key, stranger.privateKey)}`
    const answer = await addCheckpoint(url, formatAddCheckpoint({ oldSize: 0, proof: [], note: both }))
    expect([answer.code, await signersOf(`${both}${answer.text}`, [key])]).toEqual([
      200,
      [expect.any(String)],
    ])
  })

  it('cosigns a log that changed its key', async () => {
    const [old, next] = [aNewNoteSigner(origin), aNewNoteSigner(origin)]
    const { url } = await aServer([old.key, next.key])
    expect((await addCheckpoint(url, await aGrowingLog(old).request(0, 3))).code).toBe(200)
    expect((await addCheckpoint(url, await aGrowingLog(next).request(3, 7))).code).toBe(200)
  })

  it('stores logs of different origins separately', async () => {
    const [one, two] = [
      aGrowingLog(aNewNoteSigner('one.example')),
      aGrowingLog(aNewNoteSigner('two.example')),
    ]
    const { url } = await aServer([one.key, two.key])
    expect((await addCheckpoint(url, await one.request(0, 9))).code).toBe(200)
    expect((await addCheckpoint(url, await two.request(0, 4))).code).toBe(200)
    expect([await recordedSize(url, one), await recordedSize(url, two)]).toEqual([9, 4])
  })
})

describe('400', () => {
  const log = aGrowingLog(aNewNoteSigner(origin))
  const hash = `${base64(hashOfLeaf(Buffer.from('x')))}\n`

  it.each<[string, (body: string) => string | Uint8Array]>([
    ['an empty body', () => ''],
    ['no old size line', (body) => body.slice('old 0\n'.length)],
    ['an old size with a leading zero', (body) => body.replace('old 0', 'old 00')],
    ['a negative old size', (body) => body.replace('old 0', 'old -1')],
    ['a proof line that is no base64', (body) => body.replace('old 0\n', 'old 0\n***\n')],
    ['a proof line of 31 bytes', (body) => body.replace('old 0\n', `old 0\n${'A'.repeat(42)}==\n`)],
    ['64 proof lines', (body) => body.replace('old 0\n', `old 0\n${hash.repeat(64)}`)],
    ['carriage returns', (body) => body.replaceAll('\n', '\r\n')],
    ['a note without a signature', (body) => body.replace(/\n\u2014.*\n$/, '')],
    ['a checkpoint without a root', (body) => body.replace(/\n4\n.*\n/, '\n4\n')],
    ['invalid UTF-8', (body) => Buffer.concat([Buffer.from(body), Buffer.from([0xff, 0x0a])])],
    ['a byte order mark', (body) => `\ufeff${body}`],
  ])('is the answer to %s', async (_, change) => {
    const { url } = await aServer([log.key])
    const { code, text } = await addCheckpoint(url, change(await log.request(0, 4)))
    expect([code, text]).toEqual([400, expect.stringContaining('old size line')])
  })

  it('is returned for an old size above the size of the checkpoint', async () => {
    const { send, log, url } = await aWitnessedLog()
    await send(0, 9)
    const body = formatAddCheckpoint({ oldSize: 9, proof: [], note: await log.note(8) })
    expect((await addCheckpoint(url, body)).code).toBe(400)
  })
})

describe('403, 404, 405 and 413', () => {
  it('are returned for another key, an unknown origin, another method and a long body', async () => {
    const { url, log } = await aWitnessedLog()
    expect((await addCheckpoint(url, await aGrowingLog(aNewNoteSigner(origin)).request(0, 4))).code).toBe(403)
    expect(
      (await addCheckpoint(url, await aGrowingLog(aNewNoteSigner('other.example')).request(0, 4))).code,
    ).toBe(404)
    expect((await addCheckpoint(url, 'x'.repeat(133 * 1024))).code).toBe(413)
    const get = await fetch(`${url}/add-checkpoint`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404)
    expect(await recordedSize(url, log)).toBe(0)
  })

  it('include a request target that is not a valid address', async () => {
    const { url } = await aWitnessedLog()
    const { port } = new URL(url)
    const code = await new Promise((resolve, reject) => {
      get({ port, path: '//' }, ({ statusCode }) => resolve(statusCode)).on('error', reject)
    })
    expect(code).toBe(404)
  })

  it('include a signature of another text', async () => {
    const { url, log } = await aWitnessedLog()
    const body = (await log.request(0, 4)).replace('\n4\n', '\n5\n')
    expect((await addCheckpoint(url, body)).code).toBe(403)
  })
})

describe('409', () => {
  it('returns the recorded size when the old size is wrong', async () => {
    const { send } = await aWitnessedLog()
    expect(await send(3, 5)).toEqual({ code: 409, type: 'text/x.tlog.size', text: '0\n' })
    await send(0, 5)
    for (const old of [0, 4, 6])
      expect(await send(old, 7)).toEqual({ code: 409, type: 'text/x.tlog.size', text: '5\n' })
  })

  it('is returned for another root of the same size, which is stored once as evidence', async () => {
    const { log, send, folder, said } = await aWitnessedLog()
    const fork = aGrowingLog(log, (index) => `forged ${index}`)
    await send(0, 5)
    const answer = await send(5, 5, fork)
    expect([answer.code, answer.type, answer.text]).toEqual([
      409,
      'text/plain; charset=utf-8',
      expect.stringContaining('two histories'),
    ])
    // A wrong old size does not prevent it.
    expect((await send(0, 5, fork)).text).toBe('5\n')
    const [file = '', ...others] = evidenceIn(folder)
    expect([file, others]).toEqual([expect.stringMatching(/^fork-/), []])
    const text = readFileSync(join(folder, 'evidence', file), 'utf8')
    expect(text).toContain(await log.note(5))
    expect(text).toContain(await fork.note(5))
    expect(said).toEqual([expect.stringContaining(`FORK: ${origin} signed two trees of 5 entries`)])
    expect((await send(5, 6)).code).toBe(200)
  })

  it('is returned for an empty tree with another root', async () => {
    const { log, url } = await aWitnessedLog()
    const text = `${origin}\n0\n${base64(hashOfLeaf(Buffer.from('x')))}\n`
    const note = `${text}\n${signNote(text, log.key, log.privateKey)}`
    expect((await addCheckpoint(url, formatAddCheckpoint({ oldSize: 0, proof: [], note }))).code).toBe(409)
  })
})

describe('422', () => {
  it('is returned for a wrong proof, which changes nothing', async () => {
    const { log, send, url, folder } = await aWitnessedLog()
    await send(0, 5)
    const note = await log.note(9)
    const proof = await log.proof(5, 9)
    for (const wrong of [[], proof.slice(1), [...proof, hashOfLeaf(Buffer.from('x'))]])
      expect((await addCheckpoint(url, formatAddCheckpoint({ oldSize: 5, proof: wrong, note }))).code).toBe(
        422,
      )
    expect(await recordedSize(url, log)).toBe(5)
    expect(evidenceIn(folder)).toEqual([expect.stringMatching(/^unproven-/)])
  })

  it('is returned when the proof from size 0 or to the same size is not empty', async () => {
    const { log, send, url } = await aWitnessedLog()
    const proof = [hashOfLeaf(Buffer.from('x'))]
    const of = async (oldSize: number) => formatAddCheckpoint({ oldSize, proof, note: await log.note(5) })
    expect((await addCheckpoint(url, await of(0))).code).toBe(422)
    await send(0, 5)
    expect((await addCheckpoint(url, await of(5))).code).toBe(422)
  })

  // security: fork-1
  it('is returned for a fork that has grown', async () => {
    const { log, send } = await aWitnessedLog()
    await send(0, 5)
    const fork = aGrowingLog(log, (index) => (index < 3 ? `entry ${index}` : `forged ${index}`))
    expect((await send(5, 12, fork)).code).toBe(422)
  })
})

describe('the record', () => {
  it('never shrinks under 50 simultaneous requests of the same and of growing sizes', async () => {
    const { log, send, url } = await aWitnessedLog()
    await send(0, 1)
    const same = await Promise.all(Array.from({ length: 50 }, () => send(1, 2)))
    const codes = same.map(({ code }) => code)
    expect([
      codes.filter((code) => code === 200).length,
      codes.filter((code) => code === 409).length,
    ]).toEqual([1, 49])
    const growing = await Promise.all(Array.from({ length: 50 }, (_, place) => send(2, 3 + place)))
    const [winner, ...others] = growing.flatMap(({ code }, place) => (code === 200 ? [3 + place] : []))
    expect(others).toEqual([])
    expect(await recordedSize(url, log)).toBe(winner)
    expect(growing.filter(({ code }) => code === 409).map(({ text }) => Number(text))).toEqual(
      Array.from({ length: 49 }, () => winner),
    )
  })

  it('prevents cosigning when it is damaged', async () => {
    const { log, send, folder, url, said } = await aWitnessedLog()
    await send(0, 5)
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.checkpoint'))
    writeFileSync(join(folder, file), '')
    expect((await send(0, 5)).code).toBe(500)
    expect((await addCheckpoint(url, await log.request(5, 6))).code).toBe(500)
    expect(said.join()).toContain('is damaged')
  })

  it('is written before the answer, so a checkpoint that cannot be recorded is not cosigned', async () => {
    const { send, folder } = await aWitnessedLog()
    await send(0, 5)
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.checkpoint'))
    // A folder with this name cannot be opened for writing, even by root.
    mkdirSync(join(folder, `${file}.new`))
    const answer = await send(5, 6)
    expect([answer.code, answer.text.includes('\u2014')]).toEqual([500, false])
  })
})

describe('the page of the witness', () => {
  it('shows its name, its key, the logs and their sizes', async () => {
    const { send, url } = await aWitnessedLog()
    await send(0, 5)
    const page = await (await fetch(url)).text()
    expect(page).toContain('witness.example/w1+')
    expect(page).toContain(`${origin}: 5 entries`)
  })
})

describe('npm run witness', () => {
  it('continues with its key and record after a restart, and refuses a second process', async () => {
    const log = aGrowingLog(aNewNoteSigner(origin))
    const options = { logs: [log.key], name: 'witness.example/w1', folder: aFolder() }
    chmodSync(options.folder, 0o755)
    const first = await aWitness(options)
    expect((await addCheckpoint(first.url, await log.request(0, 5))).code).toBe(200)
    await expect(aWitness(options)).rejects.toThrow(/is in use by process \d+\. Stop that process/)
    await first.stop()
    await expect(aWitness({ ...options, name: 'other.example' })).rejects.toThrow(
      'belongs to the witness witness.example/w1',
    )
    const second = await aWitness(options)
    expect(second.vkey).toBe(first.vkey)
    expect(await recordedSize(second.url, log)).toBe(5)
    const fork = aGrowingLog(log, (index) => `forged ${index}`)
    expect((await addCheckpoint(second.url, await fork.request(5, 5))).code).toBe(409)
    expect(statSync(options.folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(options.folder))
      expect(statSync(join(options.folder, name)).mode & 0o077, name).toBe(0)
  })

  // security: fork-1
  it('never loses a recorded size when it is killed before the answer', async () => {
    const log = aGrowingLog(aNewNoteSigner(origin))
    const options = { logs: [log.key], name: 'witness.example/w1', folder: aFolder() }
    let size = 0
    for (let round = 1; round <= 4; round++) {
      const witness = await aWitness(options)
      expect(await recordedSize(witness.url, log)).toBe(size)
      const watcher = watch(options.folder, (_, name) => {
        if (name?.endsWith('.checkpoint')) witness.child.kill('SIGKILL')
      })
      const answer = await addCheckpoint(witness.url, await log.request(size, size + round)).catch(() => null)
      await witness.stop('SIGKILL')
      watcher.close()
      expect([null, 200]).toContain(answer?.code ?? null)
      size += round
    }
    const witness = await aWitness(options)
    expect(await recordedSize(witness.url, log)).toBe(size)
  })

  it.each([
    [['--log', 'x'], 'this is not a verifier key'],
    [[], 'Name a log with --log'],
    [['--port', '0'], 'Name a log'],
    [['--lag', 'x'], 'Usage'],
  ])('explains wrong arguments: %j', async (args, words) => {
    const output = await new Promise<string>((resolve) =>
      execFile(process.execPath, [bundleOf('scripts/witness.ts'), ...args], (error, _, stderr) =>
        resolve(`${error?.code} ${stderr}`),
      ),
    )
    expect(output).toMatch(/^1 /)
    expect(output).toContain(words)
  })
})
