import { z } from 'zod'
import { changeName } from '@/lib/domain/identity/change-name'
import { displayName, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'changeName',
  summary: 'Change your display name',
  description: 'Allowed once every 30 days. The name chosen at sign-up does not count.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({ new_display_name: displayName }),
  response: Profile,
  failures: ['name_change_throttled'],
  attempt: 'duckling.renamed',
  handle: (context, { body }) => changeName(context, body.new_display_name),
})
