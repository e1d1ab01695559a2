import { randomInt } from 'node:crypto'
import { db, type Tx } from '@/lib/db/client'
import type { MailLink } from '@/lib/db/generated/client'
import { leftJoinRow, type Sql, sql } from '@/lib/db/sql'
import { beforeCommit, transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { record, systemActor } from '@/lib/infrastructure/events/record'
import { codeMessage } from '@/lib/infrastructure/mail/changes'
import { recoveryMessage, undoEmailMessage } from '@/lib/infrastructure/mail/link'
import { readReader, unknownReader, writeFor } from '@/lib/infrastructure/mail/reader'
import { type Message, sendMail, sendSms } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { gathered } from '@/lib/infrastructure/worker/loop'
import { systemContext } from '@/lib/kernel/request/context'
import { latest, secondsAfter } from '@/lib/kernel/runtime/clock'
import { mintTokenFor } from '@/lib/kernel/secrets/secret-token'
import { carryTries, codeLifetimeSeconds, hashCode, unknownSubject } from './codes'
import { networkSubject, purposesServed, type SendPurpose } from './live-codes'

interface Wanted {
  otpId: string
  requestId: string | null
  now: Date
}

interface EnqueuedCode {
  id: string
  purpose: SendPurpose
  address: string
  deviceId: string | null
  /** The device or the network that requested it. Null in codes that are older than this column. */
  requester: string | null
  /** The account. Null when no account has the address, or the account was closed or the device removed. */
  recipient: string | null
  /** The language of the account, as a BCP 47 tag. */
  language: string | null
}

interface ReadyCode extends EnqueuedCode {
  recipient: string
  code: string
}

/** Returns those codes that are not spent or revoked. Locks them, so that none is revoked before its hash is stored. */
function lockEnqueued(tx: Tx, ids: string[]): Promise<EnqueuedCode[]> {
  return tx.rows<EnqueuedCode>`
    SELECT o."id", o."purpose", o."address", o."deviceId", o."requester",
      CASE WHEN account."deletedAt" IS NULL AND (o."deviceId" IS NULL OR t."ducklingId" = account."id") THEN account."id" END AS "recipient",
      account."browserLanguage" AS "language"
    FROM "OtpCode" o
    ${leftJoinRow('Duckling', 'named', 'o."address"', 'email')}
    ${leftJoinRow('Duckling', 'account', 'COALESCE(o."ducklingId", named."id")')}
    ${leftJoinRow('DeviceToken', 't', 'o."deviceId"')}
    WHERE o."id" = ANY(${ids}::text[]) AND o."spentAt" IS NULL AND o."signinSpentAt" IS NULL AND o."deadAt" IS NULL
    ORDER BY o."id" FOR NO KEY UPDATE OF o`
}

/** Resets the tries, also for unknown addresses. Otherwise their tries would stay used up, which would show that they are unknown. */
function triesReset(codes: EnqueuedCode[]): Sql {
  const reset = codes.flatMap(({ deviceId, requester, recipient, address, purpose }) => {
    const account = recipient ?? unknownSubject(address)
    const ofSignIn = deviceId ?? (requester === null ? account : networkSubject(account, requester))
    return purposesServed(purpose).map((served) => ({
      subject: served === 'signin' ? ofSignIn : account,
      served,
    }))
  })
  // In one order, in which the workers of several instances lock them.
  reset.sort((left, right) => (left.subject + left.served < right.subject + right.served ? -1 : 1))
  return sql`
    UPDATE "OtpGuard" g SET "tries" = 0
    FROM unnest(${reset.map(({ subject }) => subject)}::text[], ${reset.map(({ served }) => served)}::text[]) AS r ("subject", "purpose")
    WHERE g."subject" = r."subject" AND g."purpose" = r."purpose"::"OtpPurpose"`
}

/** Returns the statement that stores the hashes of new codes. */
function hashesStored(codes: ReadyCode[], now: Date): Sql {
  const hashes = codes.map(({ id, recipient, code }) =>
    Buffer.from(hashCode(id, recipient, code)).toString('hex'),
  )
  // The list in the condition makes the planner use the index, see `joinRow`.
  const ids = codes.map(({ id }) => id)
  return sql`
    UPDATE "OtpCode" o SET "ducklingId" = r."recipient", "codeHash" = decode(r."hash", 'hex'),
      "expiresAt" = ${secondsAfter(now, codeLifetimeSeconds)}::timestamptz
    FROM unnest(${ids}::text[], ${codes.map(({ recipient }) => recipient)}::text[], ${hashes}::text[])
      AS r ("id", "recipient", "hash")
    WHERE o."id" = r."id" AND o."id" = ANY(${ids}::text[])`
}

/** Generates the codes of simultaneous calls in one transaction. A result is null when nothing is to be sent. */
const prepareCode = gathered(async (wanted: Wanted[]): Promise<(ReadyCode | null)[]> => {
  const now = latest(wanted.map((one) => one.now))
  const requestIds = new Map(wanted.map(({ otpId, requestId }) => [otpId, requestId]))
  const ready = await transaction(async (tx) => {
    const codes = await lockEnqueued(tx, [...requestIds.keys()])
    for (const { address } of codes) await carryTries(tx, address)
    const sent = codes
      .flatMap((one) =>
        one.recipient === null ? [] : [{ ...one, recipient: one.recipient, code: randomCode() }],
      )
      // In order of the accounts, because their logs are locked in that order.
      .sort((left, right) => (left.recipient < right.recipient ? -1 : 1))
    beforeCommit(tx, triesReset(codes))
    beforeCommit(tx, hashesStored(sent, now))
    for (const { id, recipient, purpose } of sent)
      record(tx, { ...systemContext(now), requestId: requestIds.get(id) ?? null }, 'code.sent', {
        concerning: [recipient],
        actor: systemActor,
        metadata: { purpose, channel: purpose === 'phone' ? 'sms' : 'mail' },
      })
    return new Map(sent.map((one) => [one.id, one]))
  })
  return wanted.map(({ otpId }) => ready.get(otpId) ?? null)
})

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
  const ready = await prepareCode({ otpId: payload.otp_id, requestId: payload.request_id, now })
  if (ready === null) return
  const reader = { ...unknownReader, readerLanguage: ready.language }
  const message = {
    ...writeFor(reader, () => codeMessage(ready.purpose, ready.code)),
    to: ready.address,
  }
  await (ready.purpose === 'phone' ? sendSms(message) : sendMail(message))
}

/**
 * Generates the token of a link and mails it. The plain token is never stored, so a retry generates another one. Called by the worker.
 * Does nothing when the link is used or expired. Throws `Postponed` when the address has reached its daily limit of mails.
 */
export async function sendLink({ link_id: id }: OutboxPayloads['link'], now: Date): Promise<void> {
  const link = await db().mailLink.findUnique({ where: { id } })
  if (link === null) return
  await writeUnsolicited(link.address, 'urgent', now, () => {
    const { token, secretHash } = mintTokenFor(id)
    return transaction(async (tx) => {
      const { count } = await tx.mailLink.updateMany({
        where: { id, usedAt: null, expiresAt: { gt: now } },
        data: { tokenHash: secretHash },
      })
      return count === 1 ? messageFor(tx, link, token) : null
    })
  })
}

/** Returns the mail of a link, or null when the recovery that it cancels is no longer pending. */
async function messageFor(tx: Tx, link: MailLink, token: string): Promise<Omit<Message, 'to'> | null> {
  const reader = await readReader(tx, link.ducklingId)
  if (link.kind === 'email_undo') {
    const facts = { at: link.createdAt, until: link.expiresAt, waits: link.waits }
    return writeFor(reader, () => undoEmailMessage(token, facts, reader))
  }
  const recovery = await tx.passkeyRecovery.findUnique({ where: { id: link.subjectId ?? '' } })
  if (recovery === null) return null
  const facts = { at: recovery.createdAt, due: recovery.dueAt, byHost: recovery.sessionId === '' }
  return writeFor(reader, () => recoveryMessage(token, facts, reader))
}
