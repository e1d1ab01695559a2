import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { m } from '@/lib/kernel/messages'
import type { Message } from './send'

export type TextNotice = OutboxPayloads['text' | 'text_since_0_3']['notice']

const texts: Record<TextNotice, () => string> = {
  approver_removal: m.mail_beak_somebody_asked_remove_approver_your,
  link_made: m.mail_beak_host_made_sign_in_link,
  recovery_started: m.mail_beak_somebody_asked_remove_all_passkeys,
}

/** Returns the text message of a notice. It contains no code, no link and no text of others. */
export function textMessage(notice: TextNotice): Omit<Message, 'to'> {
  return { kind: `${notice}_text`, subject: null, text: texts[notice]() }
}

/** Whether this version has the text of a notice. A newer one may have enqueued it. */
export function isKnownText(notice: string): boolean {
  return Object.hasOwn(texts, notice)
}
