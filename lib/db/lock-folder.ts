/** A lock on a folder: a file that names the process that holds it. The lock of a process that is gone (SIGKILL, power cut) is taken over. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process's start time, so that a reused process id is not taken for the old holder. Null where /proc is not there. */
function startOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null
  } catch {
    return null
  }
}

function isAlive(pid: number, start: string | null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return start === null || startOf(pid) === null || startOf(pid) === start
}

function readHolder(path: string): { pid: number; start: string | null } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { pid: number; start: string | null }
  } catch {
    return null
  }
}

/**
 * Makes the folder, readable by its owner only, and takes its lock until the process ends. Returns null, or the process id of the
 * live process that holds the lock.
 */
export function lockFolder(folder: string): number | null {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'lock')
  const own = JSON.stringify({ pid: process.pid, start: startOf(process.pid) })
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
      process.once('exit', () => rmSync(path, { force: true }))
      return null
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    if (holder && holder.pid !== process.pid && isAlive(holder.pid, holder.start)) return holder.pid
    rmSync(path, { force: true })
  }
  throw new Error(`The lock ${path} could not be taken.`)
}
