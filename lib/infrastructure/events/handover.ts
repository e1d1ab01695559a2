/**
 * Rows of the outbox that are claimed when they are inserted, for the worker of the same process, which gets them after the commit. That saves
 * the statement and the commit of a claim. When the process dies in between, the claim expires and another process works on the row.
 */
import type { Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { singleton } from '@/lib/kernel/singleton'
import type { OutboxKind } from './outbox'

/** A row with one attempt that its claim counts, see `claimAtInsert`. */
export interface HandedRow {
  id: bigint
  kind: OutboxKind
  payload: unknown
  claimedUntil: Date
}

/** The worker of this process, for some kinds. */
export interface Receiver {
  /** Returns the end of a claim that begins now. Null while no place is free. */
  claim(now: Date): Date | null
  receive(row: HandedRow): void
}

const receivers = () => singleton('outbox.receivers', () => new Map<OutboxKind, Receiver>())

/** Makes `receiver` get the rows of some kinds. Returns a function that ends this. */
export function onHandedOver(kinds: OutboxKind[], receiver: Receiver): () => void {
  for (const kind of kinds) receivers().set(kind, receiver)
  return () => {
    for (const kind of kinds) if (receivers().get(kind) === receiver) receivers().delete(kind)
  }
}

/**
 * Returns the end of the claim with which a row is to be inserted, with 1 in the column `attempts`, and then given to `handOver`. Null when the
 * worker of this process cannot take it: then the row is inserted without a claim, and `wakeWorker` says so.
 */
export function claimAtInsert(kind: OutboxKind, now: Date): Date | null {
  return receivers().get(kind)?.claim(now) ?? null
}

/** Gives a claimed row to the worker of this process after the commit. */
export function handOver(tx: Tx, row: HandedRow): void {
  onCommit(tx, () => receivers().get(row.kind)?.receive(row))
}
