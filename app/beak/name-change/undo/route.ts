import { z } from 'zod'
import { Profile } from '@/lib/domain/identity/schema'
import { takeBackNames } from '@/lib/domain/identity/take-back-names'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoNameChange',
  summary: 'Take back a change of your names',
  description:
    'Restores the names before the change that GET /beak/name-change shows. Works once for a change, within a week. The time of the next change stays as it is. Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: z.strictObject({
    changed_at: z.iso.datetime().meta({ description: 'The `changed_at` of that change.' }),
  }),
  response: Profile,
  failures: ['no_name_to_take_back'],
  attempt: 'duckling.renamed',
  handle: (context, { body }) => takeBackNames(context, new Date(body.changed_at)),
})
