import { z } from 'zod'
import { PublicPerson, viewHandle } from '@/lib/domain/handles/holder'
import { endpoint } from '@/lib/http/endpoint'
import { handleField } from '@/lib/kernel/request/handle'

export const GET = endpoint({
  operationId: 'viewHandle',
  summary: 'Look up a handle',
  description:
    'Returns whose handle it is, as far as the public page shows it. Anybody can ask. The handle of a person who is not listed in the directory is 404 like an unknown one, except for the person and for people who got an answer from the person, with their agents. A credential is optional, but an invalid one is refused.',
  remarks: ['`since` is a month. `agents` are the bonded agents, and none while the account is suspended.'],
  auth: 'optional',
  limit: 'authenticated',
  query: z.strictObject({ handle: handleField.meta({ description: 'Without `@`.' }) }),
  response: PublicPerson,
  failures: ['handle_not_found'],
  handle: (context, { query }) => viewHandle(context, query.handle),
})
