import { z } from 'zod'
import { db, type Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { transaction } from '@/lib/db/transaction'
import { compareRenamedAsker } from '@/lib/domain/pecks/request/renamed-asker'
import { announceChange, recordSettingsChange } from '@/lib/domain/sessions/announce-change'
import { record } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/request/context'
import { instant } from '@/lib/kernel/request/fields'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/runtime/clock'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

const pauseSeconds = 30 * day

/** The names of a person. */
interface Names {
  displayName: string
  fullName: string | null
}

/** The names to set. An undefined name stays as it is, and a full name of null is removed. */
type NameChange = { [Name in keyof Names]?: Names[Name] | undefined }

/** Changes the caller's names. Throws `name_change_throttled`. */
export function changeName(
  context: DucklingContext<'name_change_throttled'>,
  change: NameChange,
): Promise<ProfileInput> {
  return transaction(async (tx) => {
    await rename(tx, context, change)
    return presentProfile(await getDuckling(tx, context.caller.id), context.now)
  })
}

/** Whether a change sets another name than the present one. */
export function changesNames(before: Names, change: NameChange): boolean {
  const after = namesAfter(before, change)
  return after.displayName !== before.displayName || after.fullName !== before.fullName
}

function namesAfter(before: Names, { displayName, fullName }: NameChange): Names {
  return {
    displayName: displayName ?? before.displayName,
    fullName: fullName === undefined ? before.fullName : fullName,
  }
}

/**
 * Changes the caller's names. Both share one clock: a change is allowed once every 30 days over all endpoints. The names from sign-up do not
 * count. The first full name of an account is free: it is allowed at any time and does not start the 30 days. Throws `name_change_throttled`.
 * The row is locked first, so only one of several simultaneous changes succeeds.
 *
 * A name in another case is another name. Setting the current names while a change is allowed succeeds and does not
 * start the 30 days.
 */
export async function rename(
  tx: Tx,
  context: DucklingContext<'name_change_throttled'>,
  change: NameChange,
): Promise<void> {
  const { caller, now } = context
  const before = await lockNames(tx, caller.id)
  if (before === null) return
  const after = namesAfter(before, change)
  const isFree =
    after.displayName === before.displayName &&
    after.fullName !== null &&
    (await isFirstFullName(tx, caller.id, before))
  const { nextNameChangeAt: next } = before
  if (next !== null && next > now && !isFree) throw throttled(context, next)
  if (!changesNames(before, change)) return
  await replaceNames(tx, context, before, after)
  if (!isFree)
    await tx.duckling.update({
      where: { id: caller.id },
      data: { nextNameChangeAt: secondsAfter(now, pauseSeconds) },
    })
  await recordSettingsChange(tx, context)
  announceChange(tx, context, 'name_changed', changeOf(before, after))
}

/** Stores the new names, keeps the ones before for receipts, and records the change. The names must be locked. */
async function replaceNames(
  tx: Tx,
  context: DucklingContext,
  before: Names,
  after: Names,
  { isTakingBack = false } = {},
): Promise<void> {
  const { caller, now } = context
  // Two changes may have the same time. Their order stays.
  await tx.run`
    INSERT INTO "FormerName" ("ducklingId", "until", "displayName", "fullName", "isTakingBack")
    SELECT ${caller.id}, greatest(${now}::timestamptz, max("until") + interval '1 ms'), ${before.displayName}, ${before.fullName}, ${isTakingBack}
    FROM "FormerName" WHERE "ducklingId" = ${caller.id}`
  const { displayName, fullName } = after
  await tx.duckling.update({ where: { id: caller.id }, data: { displayName, fullName } })
  await compareRenamedAsker(tx, { ducklingId: caller.id }, now)
  recordNames(tx, context, before, after)
}

/** Returns both sides of each changed name, for the mail: `Teal → Mallard`. */
function changeOf(before: Names, after: Names): string {
  const sides: [string | null, string | null][] = [
    [before.displayName, after.displayName],
    [before.fullName, after.fullName],
  ]
  return sides
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from ?? '–'} → ${to ?? '–'}`)
    .join(', ')
}

interface LockedNames extends Names {
  nextNameChangeAt: Date | null
}

/** Locks the names until the transaction ends. Returns null when the account is closed. */
async function lockNames(tx: Tx, id: string): Promise<LockedNames | null> {
  const [row] = await tx.rows<LockedNames>`
    SELECT "displayName", "fullName", "nextNameChangeAt" FROM "Duckling"
    WHERE "id" = ${id} AND "deletedAt" IS NULL FOR NO KEY UPDATE`
  return row ?? null
}

/** Whether the account has no full name and never had one. Read after the lock, so that removing a name and setting it again is not free. */
async function isFirstFullName(tx: Tx, ducklingId: string, { fullName }: Names): Promise<boolean> {
  if (fullName !== null) return false
  return (await tx.formerName.findFirst({ where: { ducklingId, fullName: { not: null } } })) === null
}

function throttled(context: DucklingContext<'name_change_throttled'>, next: Date): Error {
  return context.fail('name_change_throttled', {
    retry_after: secondsUntil(next, context.now),
    next_allowed_at: next.toISOString(),
  })
}

/** Records one event for each changed name. */
function recordNames(tx: Tx, context: DucklingContext, before: Names, after: Names): void {
  const targets = [{ type: 'duckling' as const, id: context.caller.id }]
  if (before.displayName !== after.displayName)
    record(tx, context, 'duckling.renamed', {
      targets,
      metadata: { from: before.displayName, to: after.displayName },
    })
  if (before.fullName !== after.fullName)
    record(tx, context, 'duckling.renamed', {
      targets,
      metadata: { field: 'full_name', from: before.fullName, to: after.fullName },
    })
}

/** Takes back a change of names: within a week, once, and only with a session that has a recent proof. */

/** The latest change of the names, while it can be taken back. */
export const RecentNameChange = z
  .object({
    change: z
      .object({
        changed_at: instant,
        display_name: z.string().meta({ description: 'The display name before the change.' }),
        full_name: z.string().nullable().meta({ description: 'The full name before the change.' }),
        undo_until: instant,
      })
      .nullable(),
  })
  .meta({ id: 'RecentNameChange' })

type RecentNameChangeInput = z.input<typeof RecentNameChange>

const takeBackSeconds = 7 * day

/** Selects the latest change of an account's names that is not taken back, if it is less than a week old. */
const latestChange = (ducklingId: string, now: Date) => sql`
  SELECT "until", "displayName", "fullName" FROM (
    SELECT * FROM "FormerName" WHERE "ducklingId" = ${ducklingId} AND "takenBackAt" IS NULL AND NOT "isTakingBack"
    ORDER BY "until" DESC LIMIT 1) latest
  WHERE "until" > ${secondsAfter(now, -takeBackSeconds)}::timestamptz`

interface ChangeRow extends Names {
  until: Date
}

/** Returns the change of the caller's names that can be taken back, with the names before it, or null. */
export async function findNameChange({ caller, now }: DucklingContext): Promise<RecentNameChangeInput> {
  const [row] = await db().rows<ChangeRow>`${latestChange(caller.id, now)}`
  if (row === undefined) return { change: null }
  const { until, displayName, fullName } = row
  return {
    change: {
      changed_at: until,
      display_name: displayName,
      full_name: fullName,
      undo_until: secondsAfter(until, takeBackSeconds),
    },
  }
}

/**
 * Takes back the latest change of the caller's names, once and within a week. Neither needs nor moves the time of the
 * next change, so that nobody gets a change more with it. Throws `no_name_to_take_back` when `changedAt` is not the time of that change.
 */
export function takeBackNames(
  context: DucklingContext<'no_name_to_take_back'>,
  changedAt: Date,
): Promise<ProfileInput> {
  const { caller, now } = context
  return transaction(async (tx) => {
    const before = await lockNames(tx, caller.id)
    const [after] = await tx.rows<ChangeRow>`
      UPDATE "FormerName" f SET "takenBackAt" = ${now}::timestamptz FROM (${latestChange(caller.id, now)}) c
      WHERE f."ducklingId" = ${caller.id} AND f."until" = c."until" AND f."until" = ${changedAt}::timestamptz AND f."takenBackAt" IS NULL
      RETURNING f."until", f."displayName", f."fullName"`
    if (before === null || after === undefined) throw context.fail('no_name_to_take_back')
    await replaceNames(tx, context, before, after, { isTakingBack: true })
    announceChange(tx, context, 'name_taken_back', changeOf(before, after))
    return presentProfile(await getDuckling(tx, caller.id), now)
  })
}
