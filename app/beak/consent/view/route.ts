import { viewConsent } from '@/lib/domain/oauth/consent'
import { Consent, consentBody } from '@/lib/domain/oauth/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'viewConsent',
  summary: 'See what a program asks that wants to connect',
  description:
    'A program that connects by OAuth sends the browser to a page of this service. `request` is in the address of that page, and `browser` in a cookie that only this browser has. The name of the program is its own claim.',
  auth: 'session',
  limit: 'authenticated',
  body: consentBody,
  response: Consent,
  failures: ['consent_not_found'],
  handle: (context, { body }) => viewConsent(context, body),
})
