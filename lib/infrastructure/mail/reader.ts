/** The time zone and the language of the person who reads a mail. */
import type { Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { m } from '@/lib/kernel/messages'
import { findLanguage } from '@/lib/kernel/text/language'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { localTime } from '@/lib/kernel/text/time-zone'

export interface Reader {
  /** IANA name. Null: times are in UTC. */
  readerZone: string | null
  /** BCP 47 tag, or null. Mails in a language without a table of sentences are in English. */
  readerLanguage: string | null
}

/** The reader of a mail to an address whose account is not known. */
export const unknownReader: Reader = { readerZone: null, readerLanguage: null }

/** Columns of the account `d` and its settings `s` that a `Reader` has. */
export const readerColumns: Sql = sql`COALESCE(s."timeZone", d."browserTimeZone") AS "readerZone", d."browserLanguage" AS "readerLanguage"`

/** Returns how the owner of an account reads mails. */
export async function readReader(tx: Tx, ducklingId: string): Promise<Reader> {
  const [row] = await tx.rows<Reader>`
    SELECT ${readerColumns} FROM "Duckling" d LEFT JOIN "NotificationSettings" s ON s."ducklingId" = d."id"
    WHERE d."id" = ${ducklingId}`
  return row ?? unknownReader
}

/** Writes a mail in the language of its reader. */
export function writeFor<T>({ readerLanguage }: Pick<Reader, 'readerLanguage'>, write: () => T): T {
  return inLanguage((readerLanguage === null ? null : findLanguage(readerLanguage)) ?? 'en', write)
}

/** Returns a time for a reader: "2026-11-22 20:25 UTC" or "22 Nov 2026, 21:25". A letter names the zone once, at its end. */
export function timeFor({ readerZone }: Reader, at: Date): string {
  return readerZone === null
    ? m.common_at_utc({ at: at.toISOString().slice(0, 16).replace('T', ' ') })
    : localTime(at, readerZone)
}

/** Returns a time for a message of one sentence, with the zone: "22 Nov 2026, 21:25 (Europe/Berlin)". */
export function zonedTimeFor(reader: Reader, at: Date): string {
  const time = timeFor(reader, at)
  return reader.readerZone === null ? time : `${time} (${reader.readerZone})`
}
