/** The kinds of all mails. `lib/fixtures/every-mail.ts` has a sample of each: a kind without one does not compile. */
import type { NoticeName } from '@/lib/infrastructure/events/outbox'

export type CodePurpose = 'signup' | 'verify_email' | 'signin' | 'email_change'

export type LetterKind =
  | NoticeName
  | `${CodePurpose}_code`
  | 'peck_waiting'
  | 'peck_reminder'
  | 'recovery_started'
  | 'sign_in_link_made'
  | 'rule_report'
  | 'newsletter_confirm'
  | 'newsletter_already'
  | 'support_request'
  | 'support_receipt'
  // What `operator doctor --mail` sends.
  | 'test'
