import { db, type Tx } from '@/lib/db/client'
import type { MailLink } from '@/lib/db/generated/client'
import { transaction } from '@/lib/db/transaction'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { recoveryMessage, undoEmailMessage } from '@/lib/infrastructure/mail/link'
import { readReader, writeFor } from '@/lib/infrastructure/mail/reader'
import type { Message } from '@/lib/infrastructure/mail/send'
import { writeUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { mintTokenFor } from '@/lib/kernel/secret-token'

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
