import { endpoint } from '@/lib/http/endpoint'
import { Profile, ProfileChange } from '@/lib/identity/schema'
import { updateProfile } from '@/lib/identity/update-profile'

export const POST = endpoint({
  summary: 'Change your profile',
  description:
    'Send what shall change; `bio: null` removes it. `display_name` can be changed once in 30 days, here or with POST /beak/name-change.',
  auth: 'session',
  limit: 'authenticated',
  body: ProfileChange,
  response: Profile,
  failures: ['name_change_throttled'],
  attempt: 'duckling.updated',
  handle: (context, { body }) => updateProfile(context, body),
})
