import type { Tx } from '@/lib/db/client'
import type { SpendPurpose } from './purposes'

/** Resets tries, wrong codes and pauses, after a passkey sign-in. */
export async function clearGuard(
  tx: Tx,
  subjects: string[],
  purposes: SpendPurpose[],
  now: Date,
): Promise<void> {
  await tx.otpGuard.updateMany({
    where: {
      OR: [{ subject: { in: subjects } }, { account: { in: subjects } }],
      purpose: { in: purposes },
    },
    data: { tries: 0, failures: 0, pausedUntil: null, updatedAt: now },
  })
}
