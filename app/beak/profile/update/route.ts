import { z } from 'zod'
import { endpoint } from '@/lib/http/endpoint'
import { bio, displayName, Profile } from '@/lib/identity/schema'
import { updateProfile } from '@/lib/identity/update-profile'
import { tier } from '@/lib/kernel/fields'

export const POST = endpoint({
  summary: 'Change your profile',
  description:
    'Send what shall change; `bio: null` removes it. `display_name` can be changed once in 30 days, here or with POST /beak/name-change.',
  auth: 'session',
  limit: 'authenticated',
  body: z.strictObject({
    display_name: displayName.optional(),
    bio: bio.nullable().optional(),
    directory_visible: z.boolean().optional(),
    require_passkey_for_pecks: z.boolean().optional(),
    min_peck_tier: tier.optional(),
  }),
  response: Profile,
  failures: ['name_change_throttled'],
  attempt: 'duckling.updated',
  handle: (context, { body }) =>
    updateProfile(context, {
      displayName: body.display_name,
      bio: body.bio,
      directoryVisible: body.directory_visible,
      requirePasskeyForPecks: body.require_passkey_for_pecks,
      minPeckTier: body.min_peck_tier,
    }),
})
