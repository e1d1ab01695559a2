/**
 * Rows of the outbox that are claimed when they are inserted, for the worker of the same process, which gets them after the commit. That saves
 * the statement and the commit of a claim. When the process dies in between, the claim expires and another process works on the row.
 */

import { db, type Tx } from '@/lib/db/client'
import { onCommit } from '@/lib/db/transaction'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { type OutboxKind, wakeOtherWorkers } from './outbox'

/** The columns of a claim. It counts as the first attempt. */
export interface FirstClaim {
  claimedUntil: Date
  attempts: 1
}

export interface HandedRow extends FirstClaim {
  id: bigint
  kind: OutboxKind
  payload: unknown
}

/** The worker of this process, for some kinds. */
export interface Receiver {
  /** Returns the end of a claim that begins now. Null while no place is free. */
  claim(now: Date): Date | null
  receive(row: HandedRow): void
}

const receivers = () => singleton('outbox.receivers', () => new Map<OutboxKind, Receiver>())

/** Makes `receiver` get the rows of some kinds. Returns a function that removes the receiver. */
export function onHandedOver(kinds: OutboxKind[], receiver: Receiver): () => void {
  for (const kind of kinds) receivers().set(kind, receiver)
  return () => {
    for (const kind of kinds) if (receivers().get(kind) === receiver) receivers().delete(kind)
  }
}

/**
 * Returns the claim with which a row is to be inserted and then given to `handOver`. Returns null when the worker of this process has no free
 * place: then insert the row without a claim, and call `wakeWorker`.
 */
export function claimAtInsert(kind: OutboxKind, now: Date): FirstClaim | null {
  const claimedUntil = receivers().get(kind)?.claim(now) ?? null
  return claimedUntil === null ? null : { claimedUntil, attempts: 1 }
}

/** Gives a claimed row to the worker of this process after the commit. */
export function handOver(tx: Tx, row: HandedRow): void {
  onCommit(tx, () => {
    const receiver = receivers().get(row.kind)
    if (receiver) return receiver.receive(row)
    // The worker was stopped meanwhile. Without this, the row would wait until the claim expires.
    release(row).catch((error: unknown) =>
      log().warn({ outbox: Number(row.id), error: describeError(error) }, 'claim not released'),
    )
  })
}

async function release({ id, kind, attempts, claimedUntil }: HandedRow): Promise<void> {
  await db().run`
    UPDATE "Outbox" SET "claimedUntil" = NULL, "attempts" = 0
    WHERE "id" = ${id} AND "attempts" = ${attempts} AND "claimedUntil" = ${claimedUntil}::timestamptz`
  wakeOtherWorkers([kind])
}

/** Limits per day (UTC) for all instances together. Each count is one row, changed by guarded statements. */

/** What is counted. */
export type CountedName =
  /** Unsolicited mails to an address. `key` is the keyed hash of the address. */
  | 'mail'
  /** Mails about requests with a high risk. `key` is the target and the asker of the request that began the mail. */
  | 'peck_alerts'
  /** Text messages to a number. `key` is the keyed hash of the number. */
  | 'sms_number'
  /** Text messages that an address block requested. `key` is the keyed hash of the block. */
  | 'sms_block'
  /** Text messages of the whole service. `key` is empty. */
  | 'sms_service'
  /** Code attempts of all known devices of an account. `key` is the id of the account. */
  | 'device_tries'
  /** Sign-in codes that all known devices of an account requested. `key` is the id of the account. */
  | 'device_codes'
  /** User codes of devices that an account entered. `key` is the id of the account. */
  | 'user_codes'

/**
 * Adds one, unless the count of the day is already `max`. Returns whether it was added. One statement checks and adds, so
 * simultaneous callers cannot exceed the limit.
 */
export async function countToday(
  tx: Tx,
  name: CountedName,
  key: string,
  max: number,
  now: Date,
): Promise<boolean> {
  const counted = await tx.run`
    INSERT INTO "DailyCount" AS c ("name", "key", "day", "count")
    SELECT ${name}, ${key}, (${now}::timestamptz AT TIME ZONE 'UTC')::date, 1 WHERE ${max}::int > 0
    ON CONFLICT ("name", "key", "day") DO UPDATE SET "count" = c."count" + 1 WHERE c."count" < ${max}::int`
  return counted === 1
}

/** Subtracts one that was counted at `now`, because the counted action failed. */
export async function uncount(tx: Tx, name: CountedName, key: string, now: Date): Promise<void> {
  await tx.run`
    UPDATE "DailyCount" SET "count" = "count" - 1
    WHERE "name" = ${name} AND "key" = ${key} AND "day" = (${now}::timestamptz AT TIME ZONE 'UTC')::date AND "count" > 0`
}

/** Returns the start of the next day (UTC), when all counts restart. */
export function nextDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
