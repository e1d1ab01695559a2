/** Keeps the data folder readable by its owner only: it holds the database, the secret and unsent codes. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const othersMask = 0o077

/** Makes files of this process readable by their owner only, unless the code that creates them says otherwise. */
export function createPrivateFiles(): void {
  process.umask(othersMask)
}

/** Takes the rights of group and others from a folder and everything in it. Symbolic links are not followed. */
export function makePrivate(path: string): void {
  try {
    const entry = lstatSync(path)
    if (entry.isSymbolicLink()) return
    if ((entry.mode & othersMask) !== 0) chmodSync(path, entry.mode & 0o7777 & ~othersMask)
    if (entry.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name))
  } catch (error) {
    // Somebody else's file cannot be changed, and a file may disappear meanwhile. Neither may stop the start.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EACCES' && code !== 'ENOENT') throw error
  }
}
