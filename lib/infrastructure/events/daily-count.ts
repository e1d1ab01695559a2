/** Limits per day (UTC) for all instances together. Each count is one row, changed by guarded statements. */
import type { Tx } from '@/lib/db/client'

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
