import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import type { Message } from './send'

export type TextNotice = OutboxPayloads['text' | 'text_since_0_3']['notice']

const texts: Record<TextNotice, string> = {
  approver_removal:
    'Beak: somebody asked to remove the approver of your account. If this was not you, sign in now and keep it on your security page.',
  link_made:
    'Beak: the host made a sign-in link for your account, which works in a day. If you did not ask for it, sign in now and cancel it on your security page.',
  recovery_started:
    'Beak: somebody asked to remove all passkeys of your account. If this was not you, sign in now and cancel it on your security page.',
}

/** Returns the text message of a notice. It contains no code, no link and no text of others. */
export function textMessage(notice: TextNotice): Omit<Message, 'to'> {
  return { kind: `${notice}_text`, subject: null, text: texts[notice] }
}

/** Whether this version has the text of a notice. A newer one may have enqueued it. */
export function isKnownText(notice: string): boolean {
  return Object.hasOwn(texts, notice)
}
