/**
 * A command opens exactly one transaction, at its top. Inside it a Failure that is thrown rolls everything back; a Failure
 * that is *returned* commits first and is thrown then: that is how a wrong code is counted although it is refused.
 */
import { Failure } from '@/lib/kernel/failures'
import { db, insideTransaction, type Tx } from './client'
import { isRetryable } from './conflict'

const afterCommit = new WeakMap<object, Set<() => void>>()

/** Runs `effect` once `tx` has committed, never when it rolls back. The same effect given twice runs once. */
export function onCommit(tx: Tx, effect: () => void): void {
  afterCommit.get(tx)?.add(effect)
}

const attempts = 5

/** Runs `work` in one transaction (read committed), again when it lost a conflict with another, at most five times. */
export async function transaction<T>(work: (tx: Tx) => Promise<T | Failure>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const effects = new Set<() => void>()
    try {
      const result = await db().$transaction((tx) => {
        afterCommit.set(tx, effects)
        return insideTransaction(() => work(tx))
      })
      for (const effect of effects) effect()
      if (result instanceof Failure) throw result
      return result
    } catch (error) {
      if (attempt === attempts || !isRetryable(error)) throw error
    }
  }
}

/**
 * Takes a lock on a name until the transaction ends, for rules that span rows ("at most three sends to an address").
 */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Takes the same lock unless somebody else has it. Returns whether it was taken. */
export async function tryLockName(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "taken"`
  return row?.taken === true
}
