import { z } from 'zod'
import { readProfile } from '@/lib/domain/identity/read-profile'
import { GrantedProfile, Profile } from '@/lib/domain/identity/schema'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  summary: 'See your profile, or one you were granted',
  description:
    'With `X-Peck-Grant` the answer is the `GrantedProfile` of the duckling that gave the permission: no settings, no referral code, and `email` only if `params.fields` asked for it. One use is spent. Only the one who asked may show the grant.',
  auth: 'session-or-agent',
  capability: 'read:profile',
  limit: 'authenticated',
  headers: { 'X-Peck-Grant': 'The grant_token of an approved peck for the action read:profile.' },
  // The larger one first: a union takes the first that fits.
  response: z.union([Profile, GrantedProfile]),
  failures: ['grant_invalid', 'grant_not_active', 'grant_other_asker'],
  handle: (context, { header }) => readProfile(context, header('x-peck-grant')),
})
