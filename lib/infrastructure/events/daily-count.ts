/** Limits by the day (UTC) that hold on every instance: one guarded row for each thing that is counted. */
import type { Tx } from '@/lib/db/client'

/** What is limited by the day. */
export type CountedName =
  /** Mails an address did not ask for; `key` is the keyed hash of the address. */
  | 'mail'
  /** Text messages to a number; `key` is the keyed hash of the number. */
  | 'sms_number'
  /** Text messages asked for from an address block; `key` is the keyed hash of the block. */
  | 'sms_block'
  /** Text messages of the whole service; `key` is empty. */
  | 'sms_service'
  /** Tries of all known devices of an account; `key` is its id. */
  | 'device_tries'
  /** Sign-in codes that all known devices of an account ask for; `key` is its id. */
  | 'device_codes'

/**
 * Counts one more, unless the day already has `max`. Returns whether it was counted. The condition stands in the statement, so
 * simultaneous callers cannot exceed the limit together.
 */
export async function countToday(
  tx: Tx,
  name: CountedName,
  key: string,
  max: number,
  now: Date,
): Promise<boolean> {
  const counted = await tx.$executeRaw`
    INSERT INTO "DailyCount" AS c ("name", "key", "day", "count")
    SELECT ${name}, ${key}, (${now}::timestamptz AT TIME ZONE 'UTC')::date, 1 WHERE ${max}::int > 0
    ON CONFLICT ("name", "key", "day") DO UPDATE SET "count" = c."count" + 1 WHERE c."count" < ${max}::int`
  return counted === 1
}

/** Takes one back that was counted at `now`, because what it was counted for did not happen. */
export async function uncount(tx: Tx, name: CountedName, key: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE "DailyCount" SET "count" = "count" - 1
    WHERE "name" = ${name} AND "key" = ${key} AND "day" = (${now}::timestamptz AT TIME ZONE 'UTC')::date AND "count" > 0`
}

/** When the next day begins (UTC), and with it every count again. */
export function nextDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))
}
