/** The files of a mirror: a folder with the layout of C2SP tlog-tiles, which any web server can serve. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReadLogFile } from '@beak/client/verify/log/authenticated-tiles'
import { noteBytesMax } from '@beak/client/verify/log/note'
import { type Tile, tilePath, tileWidth } from '@beak/client/verify/log/tiles'
import { readIfThere, replaceFile } from '@/lib/kernel/durable-file'

/** A bundle of 256 entries of the greatest length. */
const fileBytesMax = Math.max(noteBytesMax, tileWidth * (2 + 65_535))

/** Returns the folder of a log among the mirrors of a witness. Origins that differ only in other characters than these share a folder. */
export function mirrorFolder(folder: string, origin: string): string {
  return join(folder, origin.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '_'))
}

/** Returns a reader of the files below a folder. It returns null for a missing file. */
export function readMirror(folder: string): ReadLogFile {
  return async (path) => {
    const file = join(folder, path)
    const size = await stat(file).then(
      (found) => found.size,
      () => 0,
    )
    if (size > fileBytesMax) throw new Error(`${file} has more than ${fileBytesMax} bytes`)
    return readIfThere(file)
  }
}

/** Writes a file of a mirror. A crash leaves either the old content or the new one. */
export async function writeMirror(folder: string, path: string, bytes: string | Uint8Array): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, bytes)
}

/** Removes the partial forms of a tile, except the form with this width. */
export async function removePartials(folder: string, tile: Tile): Promise<void> {
  const partials = join(folder, `${tilePath({ ...tile, width: tileWidth })}.p`)
  const names = await readdir(partials).catch(() => [])
  const others = names.filter((name) => tile.width === tileWidth || name !== String(tile.width))
  for (const name of others) await rm(join(partials, name), { force: true })
}
