import { Profile, ProfileChange } from '@/lib/domain/identity/schema'
import { updateProfile } from '@/lib/domain/identity/update-profile'
import { endpoint } from '@/lib/http/endpoint'

export const POST = endpoint({
  operationId: 'updateProfile',
  summary: 'Change your profile',
  description:
    'Send the fields that should change. `bio: null` removes the bio. `builder` shows you the parts of the pages for builders and hosts. `display_name` and `full_name` can be changed once every 30 days, here or with POST /beak/name-change. The first full name is free, and `full_name: null` removes it. Changing a name, setting `require_passkey_for_pecks` to false or lowering `min_peck_tier` requires a passkey proof in the last 10 minutes, or a sign-in in the last 10 minutes when the account has no passkey.',
  remarks: [
    '`bio` has at most 280 characters. A new account has `findable_by_email` false and `min_peck_tier` T1.',
  ],
  auth: 'session',
  limit: 'authenticated',
  idempotencyKey: true,
  body: ProfileChange,
  response: Profile,
  failures: ['fresh_sign_in_needed', 'fresh_passkey_needed', 'name_change_throttled'],
  attempt: 'duckling.updated',
  handle: (context, { body }) => updateProfile(context, body),
})
