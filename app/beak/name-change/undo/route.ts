import { z } from 'zod'
import { takeBackNames } from '@/lib/domain/identity/change-name'
import { Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'undoNameChange',
  summary: 'Take back a change of your names',
  description:
    'Restores the names before the change that GET /beak/name-change shows. Works once for a change, within a week. The time of the next change stays as it is. Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  remarks: [
    'The latest change comes first. Then the change before it can be taken back, in its own week. Taking back cannot be taken back. The change that was taken back counts as the change of its 30 days, and a first full name is not free again.',
    'No mailed link does this: a thief of the mailbox would take back a name that the owner chose. Receipts of the time between show the names of that time.',
  ],
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
