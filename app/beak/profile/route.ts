import { endpoint } from '@/lib/http/endpoint'
import { Profile } from '@/lib/identity/schema'
import { readProfile } from '@/lib/pecks/read-profile'

export const GET = endpoint({
  summary: 'See your profile, or one you were granted',
  description:
    'With `X-Peck-Grant` the answer is the profile of the duckling that gave the permission, without `email` unless `params.fields` asked for it, and one use is spent. Only the one who asked may show the grant.',
  auth: 'session-or-agent',
  capability: 'read:profile',
  limit: 'authenticated',
  headers: { 'X-Peck-Grant': 'The grant_token of an approved peck for the action read:profile.' },
  response: Profile,
  failures: ['grant_invalid', 'grant_not_active', 'grant_other_asker'],
  handle: (context, { request }) => readProfile(context, request.headers.get('x-peck-grant')),
})
