import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { bundleOf } from '@/lib/fixtures/bundle'
import { lockFolder } from './lock-folder'

const children = new Set<ChildProcess>()
const folders: string[] = []
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
})
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'beak-lock-'))
  folders.push(folder)
  return folder
}

/** A process id that no process has. */
const endedPid = () => Number(spawnSync(process.execPath, ['-p', 'process.pid']).stdout)
const writeLock = (folder: string, pid: number) =>
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid, start: null }))
const pidIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')).pid

async function aRacer(): Promise<ChildProcess> {
  const child = fork(bundleOf('lib/fixtures/lock-racer.ts'))
  children.add(child)
  await once(child, 'message')
  return child
}

/** Lets every process take every lock at the same time. Returns for each process who held each lock, null for the process itself. */
async function race(
  racers: ChildProcess[],
  places: string[],
  patience: number,
): Promise<(number | null)[][]> {
  const answers = racers.map((racer) => once(racer, 'message'))
  const at = Date.now() + 30
  for (const racer of racers) racer.send({ folders: places, at, patience })
  return (await Promise.all(answers)).map(([holders]) => holders)
}

function sleeper(): ChildProcess {
  const child = spawn('sleep', ['60'])
  children.add(child)
  return child
}

describe('lockFolder', () => {
  // security: host-5
  it('takes over a stale lock in exactly one of eight processes, in each of 100 rounds', async () => {
    const stale = endedPid()
    const racers = await Promise.all(Array.from({ length: 8 }, aRacer))
    for (let batch = 0; batch < 10; batch++) {
      const places = Array.from({ length: 10 }, newFolder)
      for (const place of places) writeLock(place, stale)
      const answers = await race(racers, places, 1_000)
      const winners = places.map((_, place) =>
        racers.filter((_, racer) => answers[racer]?.[place] === null).map(({ pid }) => pid),
      )
      expect(winners.map(({ length }) => length)).toEqual(places.map(() => 1))
      expect(places.map((place) => [pidIn(place)])).toEqual(winners)
      expect(places.flatMap((place) => readdirSync(place))).toEqual(places.map(() => 'lock'))
    }
  }, 120_000)

  it('takes the lock of a copy, whose holder uses the folder that was copied', async () => {
    const [folder, parent] = [newFolder(), newFolder()]
    const holder = await aRacer()
    await race([holder], [folder], 0)
    const copy = join(parent, 'copy')
    cpSync(folder, copy, { recursive: true })
    expect(await lockFolder(copy, 0)).toBeNull()
    expect(await lockFolder(folder, 0)).toBe(holder.pid)
  })

  it('does not take the lock of a folder that has another path now', async () => {
    const folder = newFolder()
    const holder = await aRacer()
    await race([holder], [folder], 0)
    const moved = `${folder}-moved`
    folders.push(moved)
    renameSync(folder, moved)
    expect(await lockFolder(moved, 0)).toBe(holder.pid)
  })

  it('waits for a holder that is killed meanwhile', async () => {
    const folder = newFolder()
    const holder = await aRacer()
    await race([holder], [folder], 0)
    expect(pidIn(folder)).toBe(holder.pid)
    const taking = lockFolder(folder)
    holder.kill('SIGKILL')
    expect(await taking).toBeNull()
    expect(pidIn(folder)).toBe(process.pid)
  }, 60_000)

  it('returns the process id of a holder that stays alive', async () => {
    const folder = newFolder()
    const { pid = 0 } = sleeper()
    writeLock(folder, pid)
    expect(await lockFolder(folder, 100)).toBe(pid)
    expect(pidIn(folder)).toBe(pid)
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it.runIf(process.platform === 'linux')(
    'takes over the lock of a zombie and of a reused process id',
    async () => {
      // The shell starts a process, and is then replaced by a program that never asks for the exit code of that process.
      const child = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'])
      children.add(child)
      const [printed] = await once(child.stdout, 'data')
      const [ofZombie, ofReused] = [newFolder(), newFolder()]
      writeLock(ofZombie, Number(String(printed)))
      const { pid } = sleeper()
      writeFileSync(join(ofReused, 'lock'), JSON.stringify({ pid, start: '1' }))
      for (const folder of [ofZombie, ofReused]) expect(await lockFolder(folder)).toBeNull()
    },
  )

  it('ignores and removes the announcement of a process that has ended', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, `lock.${endedPid()}..00`), '')
    expect(await lockFolder(folder, 0)).toBeNull()
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it('keeps the lock of a holder whose process cannot be seen, as long as its service answers', async () => {
    const folder = newFolder()
    // As in a second container: the holder has the process id of this process there, and another start time.
    const lock = JSON.stringify({ pid: process.pid, start: '1' })
    writeFileSync(join(folder, 'lock'), lock)
    expect(await lockFolder(folder, 0, () => Promise.resolve(true))).toBe(process.pid)
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(lock)
    expect(await lockFolder(folder, 0, () => Promise.resolve(false))).toBeNull()
  })

  it('takes over a lock that was not written completely', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock'), '{"pid":')
    expect(await lockFolder(folder, 0)).toBeNull()
  })

  it('makes folder and lock readable by their owner only, and removes the lock at the end of the process', async () => {
    const folder = join(newFolder(), 'data')
    const racer = await aRacer()
    await race([racer], [folder], 0)
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'lock')).mode & 0o777]).toEqual([
      0o700, 0o600,
    ])
    racer.disconnect()
    await once(racer, 'exit')
    expect(existsSync(join(folder, 'lock'))).toBe(false)
  }, 60_000)
})
