/**
 * A lock on a folder: the file `lock` names the process that holds it. The lock of a process that has ended (SIGKILL, power cut) is
 * taken over, and so is a lock that was copied with its folder.
 *
 * Two processes must not take over one lock, and a file cannot be compared and replaced in one step. So a process first announces
 * itself with a file of its own, and then looks for others. It reads and writes `lock` only when no other live process is announced.
 * Of two processes that announce themselves at the same time, at least one sees the other, so both never pass.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

interface Holder {
  pid: number
  /** The start time of the process, so that a reused process id is not taken for the holder. Null where /proc does not exist. */
  start: string | null
  /** The path and the inode of the folder. A copy of the folder has another path and another inode, and nobody holds it. */
  path?: string
  inode?: number
}

/** Milliseconds for a killed process to end. */
const patienceDefault = 3_000
const pollMilliseconds = 20
const announcement = /^lock\.(\d+)\.(\d*)\.[0-9a-f]+$/

/** Returns state and start time of a process, or null when it does not exist or /proc does not exist. */
function readProcess(pid: number): { state: string; start: string } | null {
  try {
    // The name of the program stands in parentheses and may contain anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { state: fields[0] ?? '', start: fields[19] ?? '' }
  } catch {
    return null
  }
}

function isAlive({ pid, start }: Holder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const found = readProcess(pid)
  if (found === null) return true
  // A zombie has closed its files. It stays until its parent has read its exit code.
  return !/[ZX]/.test(found.state) && (start === null || found.start === start)
}

function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

/** Returns the lowest name of another live process that is announced. Removes what processes that have ended left. */
function findOther(folder: string, own: string): { name: string; pid: number } | null {
  for (const name of readdirSync(folder).sort()) {
    const [, pid, start] = announcement.exec(name) ?? []
    if (pid === undefined || name === own) continue
    if (isAlive({ pid: Number(pid), start: start || null })) return { name, pid: Number(pid) }
    rmSync(join(folder, name), { force: true })
  }
  return null
}

/**
 * Takes the lock when nobody holds it. Only for the one announced process. Returns null, or the process id of the live holder. A holder in
 * another container has a process id of its own there, so it seems to have ended, while its service still answers.
 */
async function takeLock(
  path: string,
  own: Holder,
  isServing: () => Promise<boolean>,
): Promise<number | null> {
  const holder = readHolder(path)
  const isOwn = holder?.pid === own.pid && holder.start === own.start
  if (isOwn) return null
  const isCopied = holder?.path !== undefined && holder.path !== own.path && holder.inode !== own.inode
  if (holder && holder.pid !== own.pid && !isCopied && isAlive(holder)) return holder.pid
  if (holder && (await isServing())) return holder.pid
  writeFileSync(path, JSON.stringify(own), { mode: 0o600 })
  process.once('exit', () => rmSync(path, { force: true }))
  return null
}

/** Tries once. Returns null, or the process id of the process that is in the way. */
async function attempt(
  folder: string,
  own: Holder,
  deadline: number,
  isServing: () => Promise<boolean>,
): Promise<number | null> {
  const name = `lock.${own.pid}.${own.start ?? ''}.${randomBytes(8).toString('hex')}`
  const path = join(folder, name)
  writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  try {
    for (;;) {
      const other = findOther(folder, name)
      if (other === null) return await takeLock(join(folder, 'lock'), own, isServing)
      // The lowest name stays and the others leave, so that one of them passes.
      if (other.name < name || performance.now() > deadline) return other.pid
      await wait(1)
    }
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * Makes the folder, readable by its owner only, and takes its lock until the process ends. Waits `patience` milliseconds for a process
 * that holds the lock, because a killed process may still be ending. A lock is not taken over while `isServing` says yes. Returns null, or the process id of the live holder.
 */
export async function lockFolder(
  folder: string,
  patience = patienceDefault,
  isServing: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<number | null> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const own = {
    pid: process.pid,
    start: readProcess(process.pid)?.start ?? null,
    path: realpathSync(folder),
    inode: statSync(folder).ino,
  }
  const deadline = performance.now() + patience
  for (;;) {
    const pid = await attempt(folder, own, deadline, isServing)
    if (pid === null || performance.now() > deadline) return pid
    await wait(pollMilliseconds * (0.5 + Math.random()))
  }
}
