import { randomInt } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { codeMessage } from '@/lib/infrastructure/mail/code'
import { sendMail, sendSms } from '@/lib/infrastructure/mail/send'
import { secondsAfter } from '@/lib/kernel/clock'
import { systemContext } from '@/lib/kernel/context'
import { codeLifetimeSeconds, hashCode, purposesServed, type SendPurpose } from './codes'
import { carryTries, unknownSubject } from './unknown-subject'

/**
 * The account a promised code is for; null when the address is nobody's, when the account has been closed since, or when the
 * known device that asked is not one of this account any more.
 */
async function recipient(
  tx: Tx,
  otp: { purpose: string; address: string; ducklingId: string | null; deviceId: string | null },
): Promise<string | null> {
  const account = otp.ducklingId === null ? { email: otp.address } : { id: otp.ducklingId, deletedAt: null }
  const where = { ...account, ...(otp.deviceId === null ? {} : { devices: { some: { id: otp.deviceId } } }) }
  const duckling = await tx.duckling.findFirst({ where, select: { id: true } })
  return duckling?.id ?? null
}

/** Returns six random digits, each code as likely as any other. */
export function randomCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

/**
 * Mints a promised code and sends it: the only moment its six digits exist on our side. Called by the worker; a try that
 * fails mints another next time. A code nobody can receive any more is dropped.
 */
export async function sendCode(
  payload: { otp_id: string; request_id: string | null },
  now: Date,
): Promise<void> {
  const otp = await db().otpCode.findUnique({ where: { id: payload.otp_id } })
  if (!otp || otp.spentAt !== null || otp.signinSpentAt !== null || otp.deadAt !== null) return
  const code = randomCode()
  const purpose = otp.purpose as SendPurpose
  const ducklingId = await transaction(async (tx) => {
    const id = await recipient(tx, otp)
    await carryTries(tx, otp.address)
    // For an unknown address too: otherwise the tries that stay closed would tell it from a known one.
    await tx.otpGuard.updateMany({
      where: {
        subject: otp.deviceId ?? id ?? unknownSubject(otp.address),
        purpose: { in: purposesServed(purpose) },
      },
      data: { tries: 0 },
    })
    if (id === null) return null
    const { count } = await tx.otpCode.updateMany({
      where: { id: otp.id, deadAt: null },
      data: {
        ducklingId: id,
        codeHash: hashCode(otp.id, id, code),
        expiresAt: secondsAfter(now, codeLifetimeSeconds),
      },
    })
    if (count === 0) return null
    await record(tx, { ...systemContext(now), requestId: payload.request_id }, 'code.sent', {
      concerning: [id],
      actor: systemActor,
      metadata: { purpose, channel: purpose === 'phone' ? 'sms' : 'mail' },
    })
    return id
  })
  if (ducklingId === null) return
  const message = codeMessage(purpose, code)
  if (purpose === 'phone') await sendSms({ ...message, to: otp.address })
  else await sendMail({ ...message, to: otp.address })
}
