/** Removes what other sessions than the proving one have made in an account. Called only by the first proof of its address. */
import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { revokeCodes } from '@/lib/domain/codes/codes'
import { resetNotifications } from '@/lib/domain/notifications/update'
import { showAllHidden } from '@/lib/domain/pecks/blocks/hidden-pecks'
import { removeDevices } from '@/lib/domain/sessions/devices'
import { endSessions } from '@/lib/domain/sessions/end'
import { enqueueNotice } from '@/lib/infrastructure/events/notices'
import { record, stopSessions } from '@/lib/infrastructure/events/record'
import type { DucklingContext } from '@/lib/kernel/context'
import { type Removed, removeMade } from './remove-made'

/** The first proof also ends known devices, and what depends on settings. The end of the sessions has its own event. */
interface Reclaimed extends Removed {
  device_tokens: string[]
  /** Ids of the pecks whose receipts were public. */
  shared_receipts: string[]
  /** Pecks that blocks had hidden. They are in the inbox again. */
  pecks_shown: string[]
}

/**
 * Ends all other sessions and removes every password, passkey, agent, key, handshake, webhook, token, setting, peck and permission
 * that the caller's session did not make, and what such approvals added to the history of askers. Ends the sessions first: this waits for their running commands and stops later ones.
 * Records `account.reclaimed` and mails the owner when anything was removed.
 */
export async function reclaimAccount(tx: Tx, context: DucklingContext): Promise<void> {
  const { caller, now } = context
  await endSessions(tx, context, { allBut: caller.sessionId }, 'session.revoked')
  await stopSessions(tx, caller.id, caller.sessionId, now)
  const resets = await resetSettings(tx, context)
  const removed: Reclaimed = {
    ...(await removeMade(tx, context, {
      ducklingId: caller.id,
      cause: 'account_reclaimed',
      // Rows without a known session count as made by another one.
      isMade: (session) => sql`${session} IS DISTINCT FROM ${caller.sessionId}`,
      holds: false,
    })),
    device_tokens: await deleteDevicesOfOthers(tx, context),
    shared_receipts: await unshareReceiptsOfOthers(tx, context),
    pecks_shown: resets.settings ? await removeBlocks(tx, context) : [],
  }
  await resetCodes(tx, context)
  if (!resets.password && !resets.settings && Object.values(removed).every((ids) => ids.length === 0)) return
  record(tx, context, 'account.reclaimed', {
    targets: [{ type: 'duckling', id: caller.id }],
    metadata: { ...removed, ...resets },
  })
  enqueueNotice(tx, now, caller.id, 'account_reclaimed', { at: now.toISOString() })
}

function deleteDevicesOfOthers(tx: Tx, { caller }: DucklingContext): Promise<string[]> {
  return removeDevices(tx, sql`"ducklingId" = ${caller.id} AND "sessionId" <> ${caller.sessionId}`)
}

/**
 * Makes all receipts private. A link does not say which session shared the receipt, so links stay only when the account has
 * had no other session (contract F, First proof of an address). The owner can share a receipt again.
 */
async function unshareReceiptsOfOthers(tx: Tx, { caller }: DucklingContext): Promise<string[]> {
  const { id, sessionId } = caller
  const unshared = await tx.rows<{ peckId: string }>`
    DELETE FROM "SharedReceipt" WHERE "ducklingId" = ${id} AND (
      EXISTS (SELECT 1 FROM "Session" WHERE "ducklingId" = ${id} AND "id" <> ${sessionId})
      OR EXISTS (SELECT 1 FROM "Duckling" WHERE "id" = ${id} AND "signupSessionId" IS DISTINCT FROM ${sessionId}))
    RETURNING "peckId"`
  return unshared.map(({ peckId }) => peckId).sort()
}

/** Removes all blocks. Returns the pecks that they had hidden and that still wait. */
async function removeBlocks(tx: Tx, { caller, now }: DucklingContext): Promise<string[]> {
  await tx.peckBlock.deleteMany({ where: { ducklingId: caller.id } })
  return showAllHidden(tx, caller.id, now)
}

/**
 * Removes the password when another session signed up, and resets the settings and the name pause when another session
 * changed them. The display name stays (contract G), because an account must have one, and the owner may change it at once. The
 * referral stays too, because it gives nobody access.
 */
async function resetSettings(
  tx: Tx,
  { caller }: DucklingContext,
): Promise<{ password: boolean; settings: boolean }> {
  const { id, sessionId } = caller
  const { passwordHash, signupSessionId, settingsSessionIds } = await tx.duckling.findUniqueOrThrow({
    where: { id },
    select: { passwordHash: true, signupSessionId: true, settingsSessionIds: true },
  })
  const isOwnSignUp = signupSessionId === sessionId
  const settings = settingsSessionIds.some((changedBy) => changedBy !== sessionId)
  if (settings) await resetNotifications(tx, id)
  await tx.duckling.update({
    where: { id },
    data: {
      settingsSessionIds: [],
      ...(isOwnSignUp ? {} : { passwordHash: null, browserTimeZone: null, browserLanguage: null }),
      ...(settings
        ? {
            bio: null,
            directoryVisible: true,
            findableByEmail: false,
            requirePasskeyForPecks: false,
            minPeckTier: 'T1',
            nextNameChangeAt: null,
          }
        : {}),
    },
  })
  return { password: !isOwnSignUp && passwordHash !== null, settings }
}

/** Deletes the counts of wrong codes and passwords, and voids the codes that were sent to other addresses. */
async function resetCodes(tx: Tx, { caller, now }: DucklingContext): Promise<void> {
  await tx.otpGuard.deleteMany({
    where: { subject: caller.id, purpose: { in: ['verify_email', 'email_change', 'phone', 'password'] } },
  })
  await revokeCodes(tx, caller.id, 'email_change', now)
}
