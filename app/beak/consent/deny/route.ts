import { denyConsent } from '@/lib/domain/oauth/consent'
import { ConsentDecision, consentBody } from '@/lib/domain/oauth/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'denyConsent',
  summary: 'Refuse a program that wants to connect',
  description:
    'The program gets `access_denied`, and nothing of your account. Then send the browser to `continue`.',
  auth: 'session',
  limit: 'authenticated',
  body: consentBody,
  response: ConsentDecision,
  failures: ['consent_not_found', 'consent_decided'],
  attempt: 'agent.connection_refused',
  handle: (context, { body }) => denyConsent(context, body),
})
