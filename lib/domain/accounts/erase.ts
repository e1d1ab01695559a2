import type { Tx } from '@/lib/db/client'
import { sql } from '@/lib/db/sql'
import { resetNotifications } from '@/lib/domain/notifications/update'
import { eraseContacts } from '@/lib/domain/pecks/contacts/contacts'
import { eraseUses } from '@/lib/domain/pecks/lists/uses'
import type { Owner } from '@/lib/domain/revocation/lock-account'
import { eraseRules } from '@/lib/domain/rules/erase'
import { removeDevices } from '@/lib/domain/sessions/devices'

/**
 * Deletes the personal data of an account. The row stays, because certificates, pecks and logs of others name its id. The address
 * becomes free for a new sign-up.
 *
 * Codes are voided, but their rows stay for a day: the limit of codes per address is counted from them, and closing the account
 * must not reset it (contract A, OTP). Newsletter subscription and support tickets are deleted only for a verified address.
 * docs/privacy.md says what is kept, and why.
 */
export async function eraseAccount(tx: Tx, id: string, owner: Owner, now: Date): Promise<void> {
  await tx.ceremony.deleteMany({ where: { ducklingId: id } })
  await tx.deviceRequest.deleteMany({ where: { ducklingId: id } })
  await tx.formerName.deleteMany({ where: { ducklingId: id } })
  await tx.idempotencyKey.deleteMany({ where: { ducklingId: id } })
  await removeDevices(tx, sql`"ducklingId" = ${id}`)
  await tx.otpCode.updateMany({
    where: { ducklingId: id },
    data: {
      ducklingId: null,
      codeHash: null,
      deadAt: now,
      spentAt: now,
      signinSpentAt: now,
    },
  })
  await tx.otpGuard.deleteMany({ where: { OR: [{ subject: id }, { account: id }] } })
  // Rejections that can be undone have the address and device. The pecks themselves end with the account.
  await tx.run`
    UPDATE "Peck" SET "rejectAt" = NULL, "heldRejection" = NULL
    WHERE "targetDucklingId" = ${id} AND "rejectAt" IS NOT NULL`
  await eraseUses(tx, id)
  await tx.invitation.deleteMany({ where: { ducklingId: id } })
  await eraseRules(tx, id)
  await eraseContacts(tx, id)
  await tx.peckBlock.deleteMany({ where: { ducklingId: id } })
  await tx.sharedReceipt.deleteMany({ where: { ducklingId: id } })
  await tx.askerHistory.deleteMany({ where: { targetDucklingId: id } })
  await tx.webhookStanding.deleteMany({ where: { ducklingId: id } })
  await tx.peckNotice.deleteMany({ where: { ducklingId: id } })
  await tx.peckMail.deleteMany({ where: { ducklingId: id } })
  await tx.channel.deleteMany({ where: { ducklingId: id } })
  await tx.peckAnnouncement.deleteMany({ where: { ducklingId: id } })
  await resetNotifications(tx, id)
  await deleteCredentials(tx, id)
  await deleteMail(tx, id, owner.verifiedEmail)
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
      listed: false,
      signupNoticeAt: null,
      signupSessionId: null,
      settingsSessionIds: [],
      handle: null,
      handleClaims: [],
      deletedAt: now,
    },
  })
}

/** Deletes the credentials of the account and its agents. Their ids are already listed in the answer. */
async function deleteCredentials(tx: Tx, ducklingId: string): Promise<void> {
  await tx.session.deleteMany({ where: { ducklingId } })
  await tx.passkeyRecovery.deleteMany({ where: { ducklingId } })
  await tx.signInLink.deleteMany({ where: { ducklingId } })
  await tx.ssoToken.deleteMany({ where: { ducklingId } })
  await tx.ssoProof.deleteMany({ where: { ducklingId } })
  await tx.handshake.deleteMany({ where: { agent: { ducklingId } } })
  await tx.beakKey.deleteMany({ where: { agent: { ducklingId } } })
}

/** Deletes mail that waits to be sent to the account, and what its verified address has sent to the service. */
async function deleteMail(tx: Tx, ducklingId: string, verifiedEmail: string | null): Promise<void> {
  await tx.notice.deleteMany({ where: { ducklingId } })
  await tx.recentChange.deleteMany({ where: { ducklingId } })
  await tx.mailLink.deleteMany({ where: { ducklingId } })
  if (verifiedEmail === null) return
  await tx.subscription.deleteMany({ where: { email: verifiedEmail } })
  await tx.supportTicket.deleteMany({ where: { email: verifiedEmail } })
}
