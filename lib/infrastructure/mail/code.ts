import { m } from '@/lib/kernel/messages'
import { letter } from './letter'
import type { Message } from './send'

const texts = {
  signup: {
    subject: m.mail_your_code_for_beak,
    lead: m.mail_welcome_beak_enter_this_code_verify,
  },
  verify_email: {
    subject: m.mail_your_code_for_beak,
    lead: m.mail_enter_this_code_verify_your_email,
  },
  signin: {
    subject: m.mail_your_sign_in_code_for_beak,
    lead: m.mail_enter_this_code_to_sign_in,
  },
  email_change: {
    subject: m.mail_confirm_your_new_email_address,
    lead: m.mail_enter_this_code_make_this_email,
  },
} satisfies Record<string, { subject: () => string; lead: () => string }>

/** Returns the message with a code. The code is its only group of six digits. */
export function codeMessage(purpose: keyof typeof texts | 'phone', code: string): Omit<Message, 'to'> {
  const kind = `${purpose}_code`
  if (purpose === 'phone') return { kind, subject: null, text: m.mail_code_text_message({ code }) }
  const { subject, lead } = texts[purpose]
  return letter({
    kind,
    subject: subject(),
    parts: [lead(), { code }, m.mail_it_is_valid_for_10_minutes(), m.mail_if_you_did_not_request_this()],
  })
}
