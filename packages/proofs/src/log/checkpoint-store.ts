/** Remembers the newest checkpoints of logs, so that a log that shows different people different histories contradicts itself. */

/** A checkpoint that a trusted key of the log signed. */
export interface RememberedCheckpoint {
  origin: string
  /** The number of entries. */
  size: number
  /** The root hash in base64. */
  root: string
  /** The signed note: the evidence. */
  note: string
  /**
   * True when the log was shown to continue everything that was remembered of it before. False when the checkpoint was only seen, for
   * instance in a receipt, which has no proof of that.
   */
  isProven: boolean
}

/** Two checkpoints of one log that cannot both be true. Their signatures prove to everybody that the log showed two histories. */
export interface CheckpointFork {
  origin: string
  /** The signed note that was remembered. */
  remembered: string
  /** The signed note that contradicts it. */
  found: string
}

/**
 * Where checkpoints are remembered. Of each log, the store has the largest proven and the largest unproven checkpoint, and the first fork.
 *
 * They are apart because a receipt can be checked without the log, and then nothing shows that its checkpoint continues the earlier ones. An
 * unproven checkpoint never replaces a proven one. Otherwise the service could sign a huge made-up checkpoint, and every real
 * checkpoint after that would be a smaller one, which is accepted. The next check that reads the log compares it with both.
 *
 * Only keys that you trust get checkpoints into the store, so no stranger can lock you out: when the log contradicts the store, the holder
 * of its key lied, or the key was stolen. Delete the rows of a log to begin anew.
 */
export interface CheckpointStore {
  /** Returns the checkpoints of a log: at most one with `isProven` and one without. */
  get(origin: string): readonly RememberedCheckpoint[] | Promise<readonly RememberedCheckpoint[]>
  /**
   * Stores a checkpoint in one step, unless the store has one of this log with the same `isProven` that is as large or larger. So the
   * largest of simultaneous ones stays.
   */
  keep(checkpoint: RememberedCheckpoint): void | Promise<void>
  /** Stores the two notes, unless the store has a fork of this log. */
  keepFork(fork: CheckpointFork): void | Promise<void>
}

/** Returns a store in the memory of this process. It is empty after a restart. */
export function memoryCheckpoints(): CheckpointStore {
  const checkpoints = new Map<string, RememberedCheckpoint>()
  const forks = new Map<string, CheckpointFork>()
  const keyOf = (origin: string, isProven: boolean) => `${isProven} ${origin}`
  return {
    get: (origin) => [true, false].flatMap((isProven) => checkpoints.get(keyOf(origin, isProven)) ?? []),
    keep(checkpoint) {
      const key = keyOf(checkpoint.origin, checkpoint.isProven)
      if (checkpoint.size > (checkpoints.get(key)?.size ?? -1)) checkpoints.set(key, { ...checkpoint })
    },
    keepFork(fork) {
      if (!forks.has(fork.origin)) forks.set(fork.origin, { ...fork })
    },
  }
}
