import type { Tx } from '@/lib/db/client'
import type { Owner } from './lock'

/**
 * Takes out of an account what tells who its person was. The row stays, since certificates, pecks and logs of others name its
 * id; the address is free for a new sign-up.
 *
 * Codes are killed but not removed before their two days are over: how many were mailed to the address is counted from them,
 * and closing must not be a way to have more mailed to it (contract A, OTP). Only an address that was proven to be the
 * person's has its newsletter subscription removed.
 */
export async function eraseAccount(tx: Tx, id: string, owner: Owner, now: Date): Promise<void> {
  await tx.ceremony.deleteMany({ where: { ducklingId: id } })
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
  await tx.mailLink.deleteMany({ where: { ducklingId: id } })
  await tx.passkeyRecovery.deleteMany({ where: { ducklingId: id } })
  await tx.peckBlock.deleteMany({ where: { ducklingId: id } })
  await tx.peckNotice.deleteMany({ where: { ducklingId: id } })
  if (owner.verifiedEmail !== null)
    await tx.subscription.deleteMany({ where: { email: owner.verifiedEmail } })
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
      deletedAt: now,
    },
  })
}
