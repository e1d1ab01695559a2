import { db } from '@/lib/db/client'
import type { OutboxPayloads } from '@/lib/events/outbox'
import { noticeMessage } from '@/lib/mail/notice'
import { sendMail } from '@/lib/mail/send'

/** Mails a notice to the account's own address; an account closed since has none. */
export async function sendNotice({
  duckling_id,
  notice,
  facts = {},
}: OutboxPayloads['notice']): Promise<void> {
  const duckling = await db().duckling.findUnique({ where: { id: duckling_id }, select: { email: true } })
  if (duckling?.email) await sendMail({ ...noticeMessage(notice, facts), to: duckling.email })
}

/** Mails a notice to a given address. */
export async function sendLetter({ to, notice, facts }: OutboxPayloads['letter']): Promise<void> {
  await sendMail({ ...noticeMessage(notice, facts), to })
}
