/** What codes are sent for and spent on. */
import { sql } from '@/lib/db/sql'

/** What a code is sent for. */
export type SendPurpose = 'signup' | 'verify_email' | 'signin' | 'phone' | 'email_change'
/** Purposes of codes that go by mail. */
export type MailPurpose = Exclude<SendPurpose, 'phone'>
/** What a code is spent on. */
export type SpendPurpose = Exclude<SendPurpose, 'signup'>

/** The codes that each purpose accepts. The code of the sign-up mail works once for verification and once for sign-in. */
export const accepted: Record<SpendPurpose, SendPurpose[]> = {
  verify_email: ['verify_email', 'signup'],
  signin: ['signin', 'signup'],
  phone: ['phone'],
  email_change: ['email_change'],
}

/** Returns the purposes that accept a code: sending a new one resets their tries. */
export function purposesServed(sent: SendPurpose): SpendPurpose[] {
  return (Object.keys(accepted) as SpendPurpose[]).filter((purpose) => accepted[purpose].includes(sent))
}

/** Returns the column that marks a code as spent. The sign-up code serves two purposes, so it is spent for each of them separately. */
export const fieldOf = (purpose: SpendPurpose) => (purpose === 'signin' ? 'signinSpentAt' : 'spentAt')

export const spentColumns = { spentAt: sql`"spentAt"`, signinSpentAt: sql`"signinSpentAt"` }
