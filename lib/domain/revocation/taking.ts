/** What the functions of the kinds share: the occasion, whose rows, and which of them. */

import { Prisma, type Tx } from '@/lib/db/client'
import { type Sql, sql } from '@/lib/db/sql'
import { deleteApprover } from '@/lib/domain/approvers/remove'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { deletePasskeys } from '@/lib/domain/passkeys/delete'
import { recordRecovery } from '@/lib/domain/passkeys/recovery'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSessionsOf, withdrawApprovals } from '@/lib/domain/sessions/end'
import { stopSessions } from '@/lib/infrastructure/events/chain'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import type { Context, SessionCaller } from '@/lib/kernel/request/context'

/**
 * When something is taken away from an account. The first proof of its address takes what other sessions made. The undo of a change of address
 * takes what was made since. A recovery takes the passkeys. A suspension stops the account. Closing ends it.
 */
export type Occasion = 'first_proof' | 'undo' | 'recovery' | 'suspension' | 'close'

/** What can end, by the names that events, answers and mails have for it. */
export const endedNames = [
  'agents',
  'keys',
  'passkeys',
  'webhooks',
  'channels',
  'sso_tokens',
  'pecks_cancelled',
  'grants_revoked',
  'rules',
  'invitations',
  'contacts',
  'device_tokens',
  'shared_receipts',
  'pecks_shown',
  'blocks',
  'sessions',
  'certificates',
  'settings',
  'password',
] as const

export type EndedName = (typeof endedNames)[number]

/** Ids of what ended. */
export type Ended = Record<EndedName, string[]>

/** Returns some of the lists, as an event or an answer has them. */
export const pick = <N extends EndedName>(ended: Ended, names: readonly N[]): Pick<Ended, N> =>
  Object.fromEntries(names.map((name) => [name, ended[name]])) as Pick<Ended, N>

/** What a function of a kind gets. */
export interface Taking {
  occasion: Occasion
  context: Context<SessionCaller | null>
  ducklingId: string
  /** The session that stays: that of the first proof. */
  sessionId: string | null
  /** When the change of address happened that is undone. Other occasions do not look at the time. */
  since: Date
  /** Returns the condition for the rows that are taken, from the columns with the session that made a row, and with the time. */
  isMade(session: Sql, at: Sql): Sql
  /** What the kinds before have ended. */
  ended: Readonly<Ended>
}

/** Takes one kind away from a locked account and returns the ids of what ended. */
export type Take = (tx: Tx, taking: Taking) => Promise<Partial<Ended>>

/** The rows of most tables name the session and the time in these columns. */
export const madeRow = ({ isMade }: Taking): Sql =>
  isMade(Prisma.raw('"sessionId"'), Prisma.raw('"createdAt"'))

/** Returns the ids of rows in order. */
export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort()

/**
 * The owner of an account that is undone cannot know what a stranger prepared, but may keep single things. So agents are suspended and
 * webhooks disabled, and other occasions deregister and delete them.
 */
export const holds = ({ occasion }: Taking): boolean => occasion === 'undo'

/** Takes away what gives access to an account: sessions, devices, codes, links, passkeys and the approver. */

export async function takeDeviceRequests(tx: Tx, { occasion, context, ducklingId }: Taking) {
  if (occasion === 'suspension') await withdrawApprovals(tx, context, ducklingId)
  else await tx.deviceRequest.deleteMany({ where: { ducklingId } })
  return {}
}

/**
 * Ends the sessions, all but the session that stays. The first proof and the undo then wait for running commands of the ended sessions and stop later
 * ones, so that what they made is taken too.
 */
export async function takeSessions(tx: Tx, { occasion, context, ducklingId, sessionId }: Taking) {
  const { now } = context
  const sessions = await endSessionsOf(
    tx,
    ducklingId,
    sessionId === null ? 'all' : { allBut: sessionId },
    now,
  )
  if (occasion === 'first_proof' || occasion === 'undo') await stopSessions(tx, ducklingId, sessionId, now)
  if (occasion === 'close') await tx.session.deleteMany({ where: { ducklingId } })
  // The event of an undo lists them itself.
  if (sessions.length > 0 && occasion !== 'undo')
    record(tx, context, occasion === 'close' ? 'session.ended' : 'session.revoked', {
      concerning: [ducklingId],
      targets: sessions.map((id) => ({ type: 'session', id })),
    })
  return { sessions }
}

export async function takeDevices(tx: Tx, { ducklingId, sessionId }: Taking) {
  const others = sessionId === null ? sql`true` : sql`"sessionId" <> ${sessionId}`
  return { device_tokens: await removeDevices(tx, sql`"ducklingId" = ${ducklingId} AND ${others}`) }
}

export async function takePasskeys(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  const actor = occasion === 'recovery' ? { actor: systemActor } : {}
  const deleted = await deletePasskeys(tx, context, { ducklingId, where: madeRow(taking), ...actor })
  return { passkeys: deleted.map(({ id }) => id) }
}

/**
 * Deletes the approver when it counts as made. Else cancels its pending removal: a thief may have asked for it, and a suspended owner could not stop it.
 * The owner can ask again.
 */
export async function takeApprover(tx: Tx, taking: Taking) {
  const { occasion, context, ducklingId } = taking
  if (occasion !== 'suspension') await deleteApprover(tx, context, { ducklingId, where: madeRow(taking) })
  const [kept] = await tx.approver.updateManyAndReturn({
    where: { ducklingId, removesAt: { not: null } },
    data: { removesAt: null },
  })
  if (kept !== undefined)
    record(tx, context, 'approver.kept', { concerning: [ducklingId], metadata: { origin: kept.origin } })
  return {}
}

/** Cancels a pending removal of passkeys. A thief may have asked for it, and the owner can ask again. */
export async function takeRecovery(tx: Tx, { occasion, context, ducklingId }: Taking) {
  const [recovery] = await tx.passkeyRecovery.findMany({ where: { ducklingId } })
  const { count } = await tx.passkeyRecovery.deleteMany({ where: { ducklingId } })
  if (recovery !== undefined && count === 1 && occasion !== 'close')
    recordRecovery(tx, context, 'passkey.recovery_cancelled', recovery)
  return {}
}

/**
 * Voids codes: all of a closed account, and those that a stranger had sent to other addresses. Their rows stay for a day, because the limit of
 * codes for an address is counted from them, and closing an account must not reset it (contract A, OTP).
 */
export async function takeCodes(tx: Tx, { occasion, context: { now }, ducklingId }: Taking) {
  if (occasion === 'close')
    await tx.otpCode.updateMany({
      where: { ducklingId },
      data: { ducklingId: null, codeHash: null, deadAt: now, spentAt: now, signinSpentAt: now },
    })
  else await revokeCodes(tx, ducklingId, 'email_change', now)
  return {}
}

/** Deletes the counts of wrong codes and passwords. */
export async function takeCounts(tx: Tx, { occasion, ducklingId: subject }: Taking) {
  await tx.otpGuard.deleteMany({
    where:
      occasion === 'close'
        ? { OR: [{ subject }, { account: subject }] }
        : { subject, purpose: { in: ['verify_email', 'email_change', 'phone', 'password'] } },
  })
  return {}
}
