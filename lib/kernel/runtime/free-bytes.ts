import { statfsSync } from 'node:fs'

/** Returns the bytes that this process may still write on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
