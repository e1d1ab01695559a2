import { changeName, findNameChange, RecentNameChange } from '@/lib/domain/identity/change-name'
import { NameChangeRequest, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'viewNameChange',
  summary: 'See the change of your names that you can take back',
  description:
    'Returns the latest change of your names with the names before it, if it is less than a week old and not taken back. Otherwise `change` is null.',
  auth: 'session',
  limit: 'authenticated',
  response: RecentNameChange,
  handle: (context) => findNameChange(context),
})

export const POST = endpoint({
  operationId: 'changeName',
  summary: 'Change your names',
  description:
    'Changes the display name, the full name or both. Allowed once every 30 days for both together. The names chosen at sign-up do not count, and neither does the first full name. `full_name: null` removes the full name, which counts as a change. People see the full name where there is one, so a new display name alone changes little then. Requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey. The change is mailed, and can be taken back for a week.',
  remarks: [
    'Of simultaneous changes one succeeds. Before the 30 days are over, the answer is 429 with `next_allowed_at`. The first full name can be set at any time and does not start the 30 days. Removing it is a change, and setting it again is not free.',
  ],
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
