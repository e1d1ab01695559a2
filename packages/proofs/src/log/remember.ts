/** Compares checkpoints with those that are remembered. Call it only for checkpoints that a key signed which the caller trusts. */
import { base64 } from '../bytes'
import type { Checkpoint } from './checkpoint'
import type { CheckpointFork, CheckpointStore, RememberedCheckpoint } from './checkpoint-store'

/** A remembered checkpoint that contradicts another one. */
export interface Contradiction {
  message: string
  fork: CheckpointFork
}

/** Returns the checkpoint in the form of a store. */
export function toRemember(
  { origin, size, root }: Checkpoint,
  note: string,
  isProven: boolean,
): RememberedCheckpoint {
  return { origin, size, root: base64(root), note, isProven }
}

/**
 * Remembers a checkpoint if it is the largest one. Returns the fork when the log has signed another root for the same size. A smaller
 * checkpoint says nothing without the log: receipts and proofs may be old. Messages call the checkpoint `name`.
 */
export async function remember(
  store: CheckpointStore,
  checkpoint: RememberedCheckpoint,
  name: string,
): Promise<Contradiction | null> {
  const before = await store.get(checkpoint.origin)
  const known = findContradiction(before, checkpoint, name)
  if (known !== null) return keep(store, known)
  if (before.some(({ size, isProven }) => size >= checkpoint.size && (isProven || !checkpoint.isProven)))
    return null
  await store.keep(checkpoint)
  // Another check may have stored a checkpoint at the same time.
  const found = findContradiction(await store.get(checkpoint.origin), checkpoint, name)
  return found === null ? null : keep(store, found)
}

/**
 * Remembers the checkpoint of a proof. With `kept`, the proof shows that the log continues that checkpoint: then the newer one is proven,
 * unless something else is remembered of this log. Returns the fork as `remember` does.
 */
export async function rememberGrowth(
  store: CheckpointStore,
  kept: RememberedCheckpoint | null,
  newer: RememberedCheckpoint,
): Promise<Contradiction | null> {
  const known = kept && (await remember(store, kept, 'The kept checkpoint'))
  if (known !== null) return known
  const remembered = await store.get(newer.origin)
  const isProven =
    kept !== null &&
    remembered.every(({ size, root }) => [kept, newer].some((one) => one.size === size && one.root === root))
  return remember(store, { ...newer, isProven }, 'The checkpoint of the proof')
}

async function keep(store: CheckpointStore, found: Contradiction): Promise<Contradiction> {
  await store.keepFork(found.fork)
  return found
}

function findContradiction(
  remembered: readonly RememberedCheckpoint[],
  { origin, size, root, note }: RememberedCheckpoint,
  name: string,
): Contradiction | null {
  const other = remembered.find((one) => one.size === size && one.root !== root)
  if (other === undefined) return null
  const message = `${name} has ${size} entries and another root than the checkpoint of ${size} entries that you remembered: the log ${origin} shows different people different histories. Both checkpoints are signed with a key that you trust. Keep both: they prove it.`
  return { message, fork: { origin, remembered: other.note, found: note } }
}
