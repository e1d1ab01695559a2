/** The parts of a mail. Plain text and HTML are made from the same parts, so they have the same words (contract F, Mail). */
import { htmlOf } from './letter-html'
import { textOf } from './letter-text'
import type { Part } from './parts'
import type { Message } from './send'

/** A mail before it is rendered. Nothing in it comes from others unless it went through foreign-text.ts. */
export interface Letter extends Omit<Message, 'to' | 'text' | 'html' | 'subject'> {
  subject: string
  parts: Part[]
}

/** Returns the mail with its plain text and its HTML. */
export function letter({ parts, ...message }: Letter): Omit<Message, 'to'> {
  return { ...message, text: textOf(parts), html: htmlOf(message.subject, parts) }
}
