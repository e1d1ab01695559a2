/** Compares a log, read through its authenticated tiles, with a kept checkpoint and with its own entries. */
import { areEqual } from '../bytes'
import type { LogTiles } from './authenticated-tiles'
import type { Checkpoint } from './checkpoint'
import { type LogFault, logFault, namedMax } from './log-fault'
import { type Hash, hashOfLeaf, rootOf } from './merkle'
import { tileWidth } from './tiles'

/** A kept checkpoint with a valid signature, and the entries of its proof. */
export interface OpenedProof {
  name: string
  checkpoint: Checkpoint
  entries: { index: number; leafHash: Hash; seq: number | null }[]
}

const bundlesAtOnce = 4

/** Returns what is wrong with the log, compared with a kept checkpoint and the entries of its proof. */
export async function compareWithLog(
  { name, checkpoint, entries }: OpenedProof,
  newest: Checkpoint,
  tiles: LogTiles,
): Promise<LogFault[]> {
  if (checkpoint.origin !== newest.origin)
    return [logFault('origin', `${name} is of the log ${checkpoint.origin}, but this is ${newest.origin}.`)]
  const { size, root } = checkpoint
  if (size > newest.size)
    return [
      logFault(
        'truncated',
        `${name} has ${size} entries, but the log has only ${newest.size} now: the last ${size - newest.size} were removed.`,
      ),
    ]
  const faults: LogFault[] = []
  if (!areEqual(await rootOf(size, tiles.readSubtree), root))
    faults.push(
      logFault(
        'rewritten',
        `${name} and the log contradict each other: the first ${size} entries have another root now. The log was rewritten, or it shows different people different histories. Both checkpoints are signed with its key: keep them, they prove it.`,
      ),
    )
  for (const entry of entries) {
    if (await tiles.hasLeaf(entry.index, entry.leafHash)) continue
    const about = entry.seq === null ? '' : `, which stood for event ${entry.seq}`
    const message = `${name}: the log has something else at entry ${entry.index} now${about}: the entry was replaced.`
    faults.push(logFault('rewritten', message))
  }
  return faults
}

/** Returns a fault when entries do not fit their hashes. Reads the whole log, and so authenticates every hash. */
export async function findReplacedEntries(
  size: number,
  tiles: LogTiles,
  onProgress?: (checked: number, of: number) => void,
): Promise<LogFault[]> {
  const replaced: number[] = []
  const count = Math.ceil(size / tileWidth)
  let next = 0
  let checked = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const [entries, leaves] = await Promise.all([tiles.readEntries(index), tiles.readLeaves(index)])
      for (const [place, entry] of entries.entries())
        if (!areEqual(hashOfLeaf(entry), leaves[place] ?? new Uint8Array()))
          replaced.push(index * tileWidth + place)
      checked += entries.length
      onProgress?.(checked, size)
    }
  }
  await Promise.all(Array.from({ length: bundlesAtOnce }, work))
  if (replaced.length === 0) return []
  const named = replaced
    .sort((left, right) => left - right)
    .slice(0, namedMax)
    .join(', ')
  const more = replaced.length > namedMax ? ` and ${replaced.length - namedMax} more` : ''
  return [
    logFault(
      'entry',
      `Entries of the log do not fit its hashes: ${named}${more}. They were replaced after they were signed.`,
    ),
  ]
}
