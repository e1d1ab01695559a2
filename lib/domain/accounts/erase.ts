import type { Tx } from '@/lib/db/client'
import type { Owner } from '@/lib/domain/revocation/lock-account'
import { removeDevices } from '@/lib/domain/sessions/devices'

/**
 * Takes out of an account what tells who its person was. The row stays, since certificates, pecks and logs of others name its
 * id; the address is free for a new sign-up.
 *
 * Codes are killed but not removed before the day is over: how many were mailed to the address is counted from them, and
 * closing must not be a way to have more mailed to it (contract A, OTP). Only an address that was proven to be the person's
 * has its newsletter subscription and support tickets removed. What is kept, and why: docs/privacy.md.
 */
export async function eraseAccount(tx: Tx, id: string, owner: Owner, now: Date): Promise<void> {
  await tx.ceremony.deleteMany({ where: { ducklingId: id } })
  await removeDevices(tx, { ducklingId: id })
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
  await tx.otpGuard.deleteMany({ where: { subject: id } })
  await tx.peckBlock.deleteMany({ where: { ducklingId: id } })
  await tx.peckNotice.deleteMany({ where: { ducklingId: id } })
  await deleteCredentials(tx, id)
  await deleteMail(tx, id, owner.verifiedEmail)
  await tx.duckling.update({
    where: { id },
    data: {
      email: null,
      emailVerifiedAt: null,
      displayName: 'Closed',
      bio: null,
      phone: null,
      phoneVerifiedAt: null,
      passwordHash: null,
      referredByCode: null,
      directoryVisible: false,
      listed: false,
      signupNoticeAt: null,
      signupSessionId: null,
      settingsSessionIds: [],
      deletedAt: now,
    },
  })
}

/** Deletes what let the account and its agents in, its known devices aside. The answer of the closing has listed the ids by now. */
async function deleteCredentials(tx: Tx, ducklingId: string): Promise<void> {
  await tx.session.deleteMany({ where: { ducklingId } })
  await tx.passkeyRecovery.deleteMany({ where: { ducklingId } })
  await tx.ssoToken.deleteMany({ where: { ducklingId } })
  await tx.handshake.deleteMany({ where: { agent: { ducklingId } } })
  await tx.beakKey.deleteMany({ where: { agent: { ducklingId } } })
}

/** Deletes mail that waits for the account, and what came in from its proven address. */
async function deleteMail(tx: Tx, ducklingId: string, verifiedEmail: string | null): Promise<void> {
  await tx.notice.deleteMany({ where: { ducklingId } })
  await tx.mailLink.deleteMany({ where: { ducklingId } })
  if (verifiedEmail === null) return
  await tx.subscription.deleteMany({ where: { email: verifiedEmail } })
  await tx.supportTicket.deleteMany({ where: { email: verifiedEmail } })
}
