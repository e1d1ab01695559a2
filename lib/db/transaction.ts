/**
 * A command opens exactly one transaction, at its top. A Failure that is thrown inside rolls everything back. A Failure that is
 * returned is thrown after the commit: so a wrong code is counted although it is rejected.
 */
import { Failure } from '@/lib/kernel/failures'
import { db, insideTransaction, type Tx } from './client'
import { isRetryable } from './conflict'

const afterCommit = new WeakMap<object, Set<() => void>>()

/** Runs `effect` after `tx` has committed, but not after a rollback. The same function added twice runs once. */
export function onCommit(tx: Tx, effect: () => void): void {
  afterCommit.get(tx)?.add(effect)
}

const attempts = 5

/** Runs `work` in one transaction (read committed). Retries it after a conflict, at most five times. */
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

/** Locks a name until the transaction ends, for rules about several rows ("at most three codes per address"). */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** Takes the same lock if it is free. Returns whether it was taken. */
export async function tryLockName(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ taken: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS "taken"`
  return row?.taken === true
}
