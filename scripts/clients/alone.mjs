import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock of this age is left over: no build takes so long. */
const oldestMs = 10 * 60_000

/** Whether the process that made a lock has ended. */
function isLeftOver(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > oldestMs) return true
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return false
  } catch (error) {
    // Another user's process exists, and a lock that is gone is free.
    return error.code === 'ESRCH'
  }
}

/** Returns whether this process has made the lock. */
function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isLeftOver(lock)) rmSync(lock, { force: true })
    return false
  }
}

/**
 * Does the work while no other process does such work in this folder. Several processes of a service may want the packages at once.
 *
 * @param {string} folder
 * @param {() => Promise<void>} work
 */
export async function alone(folder, work) {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, '.lock')
  while (!take(lock)) await wait(100)
  try {
    await work()
  } finally {
    rmSync(lock, { force: true })
  }
}
