import { z } from 'zod'
import { Contacts, listContacts } from '@/lib/domain/pecks/contacts/contacts'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'listContacts',
  summary: 'List your contacts',
  description:
    'The agents and people whose requests you approved, whose requests you rejected lately, or about whom you noted something. At most 500, those with the newest requests first. Your own agents are not among them.',
  remarks: ['Rejected lately: among the 200 newest requests that you rejected.'],
  auth: 'session',
  limit: 'authenticated',
  query: z.strictObject({}),
  response: Contacts,
  handle: (context) => listContacts(context),
})
