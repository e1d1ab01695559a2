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
 * Returns the account of an enqueued code. Returns null when no account has the address, when the account was closed, or when the known
 * device that requested the code was removed.
 */
async function findRecipient(
  tx: Tx,
  otp: { purpose: string; address: string; ducklingId: string | null; deviceId: string | null },
): Promise<string | null> {
  const account = otp.ducklingId === null ? { email: otp.address } : { id: otp.ducklingId, deletedAt: null }
  const where = { ...account, ...(otp.deviceId === null ? {} : { devices: { some: { id: otp.deviceId } } }) }
  const duckling = await tx.duckling.findFirst({ where, select: { id: true } })
  return duckling?.id ?? null
}

/** Returns six random digits. All codes have the same probability. */
export function randomCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0')
}

/**
 * Generates an enqueued code and sends it. The plain code is never stored, so a retry generates another one. Called by the worker. Does
 * nothing when the code was revoked or nobody can receive it.
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
    const id = await findRecipient(tx, otp)
    await carryTries(tx, otp.address)
    // For an unknown address too. Otherwise its tries would stay used up, which would show that it is unknown.
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
    record(tx, { ...systemContext(now), requestId: payload.request_id }, 'code.sent', {
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
