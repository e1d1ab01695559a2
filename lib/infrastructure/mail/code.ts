import type { Message } from './send'

const texts = {
  signup: {
    subject: 'Your code for Beak',
    lead: 'Welcome to Beak. Enter this code to verify your email address:',
  },
  verify_email: {
    subject: 'Your code for Beak',
    lead: 'Enter this code to verify your email address:',
  },
  signin: {
    subject: 'Your sign-in code for Beak',
    lead: 'Enter this code to sign in:',
  },
  email_change: {
    subject: 'Confirm your new email address',
    lead: 'Enter this code to make this the email address of your Beak account:',
  },
  phone: {
    subject: null,
    lead: 'Your Beak code:',
  },
} as const

/** Returns the message with a code. The code is its only group of six digits. */
export function codeMessage(purpose: keyof typeof texts, code: string): Omit<Message, 'to'> {
  const { subject, lead } = texts[purpose]
  const kind = `${purpose}_code`
  if (purpose === 'phone')
    return {
      kind,
      subject,
      text: `${lead} ${code}. It is valid for 10 minutes. Never share it with anybody.`,
    }
  return {
    kind,
    subject,
    text: `${lead}\n\n    ${code}\n\nIt is valid for 10 minutes and works once. Beak will never ask you for it.\n\nIf you did not request this code, ignore this message. Nothing happens without the code.\n`,
  }
}
