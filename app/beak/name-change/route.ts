import { changeName } from '@/lib/domain/identity/change-name'
import { NameChangeRequest, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'changeName',
  summary: 'Change your names',
  description:
    'Changes the display name, the full name or both. Allowed once every 30 days for both together. The names chosen at sign-up do not count, and neither does the first full name. `full_name: null` removes the full name, which counts as a change. People see the full name where there is one, so a new display name alone changes little then.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: NameChangeRequest,
  response: Profile,
  failures: ['name_change_throttled'],
  attempt: 'duckling.renamed',
  handle: (context, { body }) =>
    changeName(context, { displayName: body.new_display_name, fullName: body.full_name }),
})
