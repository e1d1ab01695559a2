import { z } from 'zod'
import { readProfile } from '@/lib/domain/identity/read-profile'
import { GrantedProfile, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getProfile',
  summary: 'See your profile, or the profile that a grant shows',
  description:
    'With `X-Peck-Grant`, the answer is the `GrantedProfile` of the duckling that gave the permission. It has no settings and no referral code, and `email` only if `params.fields` asked for it. This spends one use. Only the asker can use the grant.',
  remarks: [
    '`handle` is null without one. `cert_status` is `none`, `active`, `revoked` or `superseded`. `egg_count` counts the people who signed up with your `referral_code` and verified their address.',
  ],
  auth: 'session-or-agent',
  capability: 'read:profile',
  limit: 'authenticated',
  allowsUnproved: true,
  headers: { 'X-Peck-Grant': 'The grant_token of an approved peck for the action read:profile.' },
  // The larger schema comes first, because a union takes the first one that matches.
  response: z.union([Profile, GrantedProfile]),
  failures: ['grant_token_invalid', 'grant_not_active', 'grant_mismatch', 'paused'],
  handle: (context, { header }) => readProfile(context, header('x-peck-grant')),
})
