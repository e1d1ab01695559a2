/** Takes away what an account says about itself: settings, handles, names and contact data. */
import type { Tx } from '@/lib/db/client'
import { resetNotifications } from '@/lib/domain/notifications/update'
import { record } from '@/lib/infrastructure/events/record'
import { day, secondsAfter } from '@/lib/kernel/runtime/clock'
import { settingEvents } from '@/lib/kernel/text/removed-words'
import type { Taking } from './taking'

/** Returns the sessions, other than the session that stays, that changed settings before the first proof of the address. */
export async function settingsOfOthers(tx: Tx, { ducklingId, sessionId }: Taking): Promise<string[]> {
  const [{ others } = { others: [] }] = await tx.rows<{ others: string[] }>`
    SELECT coalesce(array_remove("settingsSessionIds", ${sessionId}::text), '{}') AS "others" FROM "Duckling" WHERE "id" = ${ducklingId}`
  return others
}

export async function takeNotifications(tx: Tx, taking: Taking) {
  if (taking.occasion === 'close' || (await settingsOfOthers(tx, taking)).length > 0)
    await resetNotifications(tx, taking.ducklingId)
  return {}
}

/** Releases the handle and forgets whose the handles were. Their skeletons stay, for a year. */
export async function takeHandles(tx: Tx, { context: { now }, ducklingId }: Taking) {
  await tx.handle.updateMany({ where: { ducklingId, releasedAt: null }, data: { releasedAt: now } })
  await tx.handle.updateMany({ where: { ducklingId }, data: { name: null, ducklingId: null } })
  return {}
}

export function takeSettings(tx: Tx, taking: Taking) {
  if (taking.occasion === 'first_proof') return resetSettings(tx, taking)
  return taking.occasion === 'undo' ? pauseRulesOfChanged(tx, taking) : eraseProfile(tx, taking)
}

/**
 * Removes the password when another session signed up, and resets the settings and the name pause when another session changed them. Returns
 * these sessions. The display name stays, because an account must have one, and the owner may change it at once. The referral
 * stays too, because it gives nobody access.
 */
async function resetSettings(tx: Tx, taking: Taking) {
  const { ducklingId: id, sessionId } = taking
  const settings = await settingsOfOthers(tx, taking)
  const { passwordHash, signupSessionId } = await tx.duckling.findUniqueOrThrow({
    where: { id },
    select: { passwordHash: true, signupSessionId: true },
  })
  const isOwnSignUp = signupSessionId === sessionId
  await tx.duckling.update({
    where: { id },
    data: {
      settingsSessionIds: [],
      ...(isOwnSignUp ? {} : { passwordHash: null, browserTimeZone: null, browserLanguage: null }),
      ...(settings.length > 0
        ? {
            bio: null,
            directoryVisible: true,
            findableByEmail: false,
            requirePasskeyForPecks: false,
            builder: false,
            minPeckTier: 'T1',
            nextNameChangeAt: null,
          }
        : {}),
    },
  })
  return { settings, password: isOwnSignUp || passwordHash === null ? [] : [signupSessionId ?? ''] }
}

/**
 * Returns the kinds of events with which the account changed settings since, and in the day before: a thief may prepare an account before
 * changing its address. What a setting was before is not stored, so it stays. Pauses all rules with one switch when one of the events is about
 * rules, because a rule that forbade something may be gone. The owner resumes them with a passkey.
 */
async function pauseRulesOfChanged(tx: Tx, { context, ducklingId, since }: Taking) {
  const events = await tx.rows<{ action: string }>`
    SELECT DISTINCT "action" FROM "AuditEvent" WHERE "ducklingId" = ${ducklingId}
      AND "action" = ANY(${[...settingEvents]}::text[]) AND "outcome" = 'success' AND "actorId" = ${ducklingId}
      AND "occurredAt" >= ${secondsAfter(since, -day)}::timestamptz`
  const settings = events.map(({ action }) => action).sort()
  if (!settings.some((action) => action.startsWith('rule.'))) return { settings }
  const { count } = await tx.duckling.updateMany({
    where: { id: ducklingId, rulesPausedAt: null },
    data: { rulesPausedAt: context.now },
  })
  if (count > 0)
    record(tx, context, 'rule.paused', {
      concerning: [ducklingId],
      metadata: { all: true, reason: 'email_restored' },
    })
  return { settings }
}

/** The row stays, because certificates, pecks and logs of others name its id. The address becomes free for a new sign-up. */
async function eraseProfile(tx: Tx, { context: { now }, ducklingId: id }: Taking) {
  await tx.duckling.update({
    where: { id },
    data: {
      email: null,
      emailVerifiedAt: null,
      displayName: 'Closed',
      fullName: null,
      bio: null,
      browserTimeZone: null,
      browserLanguage: null,
      phone: null,
      phoneVerifiedAt: null,
      passwordHash: null,
      referredByCode: null,
      directoryVisible: false,
      findableByEmail: false,
      builder: false,
      listed: false,
      signupNoticeAt: null,
      signupSessionId: null,
      settingsSessionIds: [],
      handle: null,
      handleClaims: [],
      deletedAt: now,
    },
  })
  return {}
}

/** Deletes what a verified address has sent to the service. An address that was never verified may belong to another person. */
export async function takeByAddress(tx: Tx, table: 'subscription' | 'supportTicket', id: string) {
  const { email, emailVerifiedAt } = await tx.duckling.findUniqueOrThrow({ where: { id } })
  if (email === null || emailVerifiedAt === null) return {}
  if (table === 'subscription') await tx.subscription.deleteMany({ where: { email } })
  else await tx.supportTicket.deleteMany({ where: { email } })
  return {}
}
