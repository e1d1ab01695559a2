/** Makes the data folder readable only by its owner: it contains the database, the secret and unsent codes. */
import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const othersMask = 0o077

/** Makes new files of this process readable only by their owner, unless their code sets another mode. */
export function createPrivateFiles(): void {
  process.umask(othersMask)
}

/** Removes the permissions of group and others from a folder and its content. Does not follow symbolic links. */
export function makePrivate(path: string): void {
  try {
    const entry = lstatSync(path)
    if (entry.isSymbolicLink()) return
    if ((entry.mode & othersMask) !== 0) chmodSync(path, entry.mode & 0o7777 & ~othersMask)
    if (entry.isDirectory()) for (const name of readdirSync(path)) makePrivate(join(path, name))
  } catch (error) {
    // A file of another user cannot be changed, and a file may disappear meanwhile. Neither must prevent the start.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EACCES' && code !== 'ENOENT') throw error
  }
}
