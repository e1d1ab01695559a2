/** The files of a mirror: a folder with the layout of C2SP tlog-tiles, which any web server can serve. */

import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { areEqual } from '@beak/proofs/bytes'
import { type LogTiles, openTiles, type ReadLogFile } from '@beak/proofs/log/authenticated-tiles'
import { type Checkpoint, parseCheckpoint } from '@beak/proofs/log/checkpoint'
import { BrokenLog, logFault } from '@beak/proofs/log/log-fault'
import { type Hash, hashOfLeaf } from '@beak/proofs/log/merkle'
import { noteBytesMax, parseNote } from '@beak/proofs/log/note'
import { encodeEntries, encodeHashes, type Tile, tilePath, tileWidth, widthOf } from '@beak/proofs/log/tiles'
import { readIfThere, replaceFile } from '@/lib/kernel/runtime/durable-file'

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
async function writeMirror(folder: string, path: string, bytes: string | Uint8Array): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, bytes)
}

/** Removes the partial forms of a tile, except the form with this width. */
async function removePartials(folder: string, tile: Tile): Promise<void> {
  const partials = join(folder, `${tilePath({ ...tile, width: tileWidth })}.p`)
  const names = await readdir(partials).catch(() => [])
  const others = names.filter((name) => tile.width === tileWidth || name !== String(tile.width))
  for (const name of others) await rm(join(partials, name), { force: true })
}

/**
 * The mirror of a witness: a copy of all tiles of a log up to the newest checkpoint that the witness has cosigned. With a mirror, an
 * operator who restored an old backup can continue the log (`operator log continue`). Cosigning never waits for a mirror.
 */

/** After a failure, the mirror tries again after this time, or with the next checkpoint. */
const retryMilliseconds = 60_000

export interface MirrorOptions {
  /** The folder of this log. */
  folder: string
  /** Reads a file of the log from its service. */
  readRemote: ReadLogFile
  /** Prints a line for the operator of the witness. */
  print(line: string): void
}

export interface Mirror {
  /** Copies what is missing up to a cosigned checkpoint. Returns at once. */
  update(note: string): void
  /** Resolves when no copy is running. */
  idle(): Promise<void>
}

/** Starts a mirror. It copies one checkpoint at a time, and skips those that are older than the newest one. */
export function startMirror({ folder, readRemote, print }: MirrorOptions): Mirror {
  let next: string | null = null
  let running: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  const run = async () => {
    while (next !== null) {
      const note = next
      next = null
      try {
        await copyTiles(folder, note, readRemote)
      } catch (error) {
        print(`MIRROR: ${error instanceof Error ? error.message : String(error)}`)
        if (next === null) {
          timer = setTimeout(() => start(note), retryMilliseconds).unref()
          return
        }
      }
    }
  }
  const start = (note: string) => {
    clearTimeout(timer)
    next = note
    running ??= run().finally(() => {
      running = null
    })
  }
  return {
    update: start,
    idle: async () => {
      while (running !== null) await running
    },
  }
}

function checkpointIn(note: string): Checkpoint | null {
  const parsed = parseNote(note)
  return parsed && parseCheckpoint(parsed.text)
}

/**
 * Copies the tiles of a checkpoint that the folder does not have, then the checkpoint itself. Every file is checked against the root of
 * the checkpoint before it is written. A copy that was interrupted continues with the files that it has.
 */
export async function copyTiles(folder: string, note: string, readRemote: ReadLogFile): Promise<void> {
  const checkpoint = checkpointIn(note)
  if (checkpoint === null) throw new Error('this is not a checkpoint')
  const readLocal = readMirror(folder)
  const kept = checkpointIn((await readLocal('checkpoint'))?.toString() ?? '')
  if (kept !== null && kept.size > checkpoint.size) return
  const copied = kept?.size ?? 0
  const readEither: ReadLogFile = async (path) => (await readLocal(path)) ?? (await readRemote(path))
  try {
    await copyFrom(folder, checkpoint, copied, readEither)
  } catch (error) {
    if (!(error instanceof BrokenLog)) throw error
    // A file of the folder may be damaged, so everything is read again.
    await copyFrom(folder, checkpoint, 0, readRemote)
  }
  await writeMirror(folder, 'checkpoint', note)
  // Only now, because the old checkpoint needed them.
  for (const tile of replacedTiles(copied, checkpoint.size)) await removePartials(folder, tile)
}

/** Writes the tiles that a tree of `copied` entries does not have in their final form. */
async function copyFrom(
  folder: string,
  checkpoint: Checkpoint,
  copied: number,
  readFile: ReadLogFile,
): Promise<void> {
  const { size } = checkpoint
  const tiles = await openTiles(checkpoint, readFile)
  for (let index = Math.floor(copied / tileWidth); widthOf(0, index, size) > 0; index++) {
    const entries = await readCheckedEntries(tiles, index)
    const tile = { level: 'entries', index, width: entries.length } as const
    await writeMirror(folder, tilePath(tile), encodeEntries(entries))
  }
  for (let level = 0; tileWidth ** level <= size; level++)
    for (
      let index = Math.floor(copied / tileWidth ** (level + 1));
      widthOf(level, index, size) > 0;
      index++
    ) {
      const width = widthOf(level, index, size)
      const hashes = await readTile(tiles, { level, index, width })
      await writeMirror(folder, tilePath({ level, index, width }), encodeHashes(hashes))
    }
}

/** Returns a bundle of entries. Throws `BrokenLog` when an entry does not have the hash of its leaf. */
export async function readCheckedEntries(tiles: LogTiles, index: number): Promise<Uint8Array[]> {
  const [leaves, entries] = [await tiles.readLeaves(index), await tiles.readEntries(index)]
  for (const [place, entry] of entries.entries())
    if (!isHash(leaves[place], hashOfLeaf(entry)))
      throw new BrokenLog(
        logFault(
          'tiles',
          `Entry ${index * tileWidth + place} does not have the hash that the tree has for it.`,
        ),
      )
  return entries
}

const isHash = (found: Hash | undefined, hash: Hash) => found !== undefined && areEqual(found, hash)

async function readTile(tiles: LogTiles, { level, index, width }: Tile & { level: number }): Promise<Hash[]> {
  // The reader of leaves forgets old tiles, so a large log does not fill the memory.
  if (level === 0) return tiles.readLeaves(index)
  const first = index * tileWidth
  return Promise.all(Array.from({ length: width }, (_, place) => tiles.readSubtree(level * 8, first + place)))
}

/** Returns the tiles that had a partial form in a tree of `copied` entries, and the last ones now. */
function replacedTiles(copied: number, size: number): Tile[] {
  const tiles: Tile[] = []
  for (let level = 0; tileWidth ** level <= size; level++)
    for (const count of new Set([copied, size])) {
      const index = Math.floor(count / tileWidth ** (level + 1))
      const tile = { level, index, width: widthOf(level, index, size) }
      tiles.push(tile, ...(level === 0 ? [{ ...tile, level: 'entries' as const }] : []))
    }
  return tiles
}
