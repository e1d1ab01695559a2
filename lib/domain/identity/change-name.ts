import type { Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { compareRenamedAsker } from '@/lib/domain/pecks/request/renamed-asker'
import { announceChange } from '@/lib/domain/sessions/announce-change'
import { recordSettingsChange } from '@/lib/domain/sessions/record-settings-change'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter, secondsUntil } from '@/lib/kernel/clock'
import type { DucklingContext } from '@/lib/kernel/context'
import { getDuckling, type ProfileInput, presentProfile } from './schema'

const pauseSeconds = 30 * day

/** The names of a person. */
export interface Names {
  displayName: string
  fullName: string | null
}

/** The names to set. An undefined name stays as it is, and a full name of null is removed. */
type NameChange = { [Name in keyof Names]?: Names[Name] | undefined }

/** Changes the caller's names (contract B, name-change). Throws `name_change_throttled`. */
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
 * A name in another case is another name (contract G). Setting the current names while a change is allowed succeeds and does not
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
export async function replaceNames(
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
export function changeOf(before: Names, after: Names): string {
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
export async function lockNames(tx: Tx, id: string): Promise<LockedNames | null> {
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
