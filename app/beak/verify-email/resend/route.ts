import { CodeSent } from '@/lib/domain/identity/schema'
import { resendVerification } from '@/lib/domain/identity/verify-email'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'resendVerificationCode',
  summary: 'Ask for a new verification code',
  auth: 'session',
  limit: 'authenticated',
  allowsUnproved: true,
  budget: 'code',
  idempotencyKey: true,
  response: CodeSent,
  failures: ['email_already_verified', 'too_many_codes_sent', 'session_invalid'],
  attempt: 'code.requested',
  handle: (context) => resendVerification(context),
})
