import { endpoint } from '@/lib/http/endpoint'
import { ownProfile } from '@/lib/identity/profile'
import { Profile } from '@/lib/identity/schema'

export const GET = endpoint({
  summary: 'See your profile',
  auth: 'session-or-agent',
  capability: 'read:profile',
  limit: 'authenticated',
  response: Profile,
  handle: (context) => ownProfile(context),
})
