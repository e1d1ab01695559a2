import { z } from 'zod'
import { DirectoryEntry, Profile } from '@/lib/domain/identity/schema'
import { directoryCursor, directorySearch, listDirectory } from '@/lib/domain/identity/update-profile'
import { endpoint } from '@/lib/http/endpoint'
import { tier } from '@/lib/kernel/request/fields'
import { listOf, pageQuery, pageRequest } from '@/lib/kernel/request/page'

export const GET = endpoint({
  operationId: 'listDucklings',
  summary: 'Browse the public directory',
  description:
    'Lists visible ducklings at T1 or higher, with masked ids. `q` selects those with exactly this handle, display name or full name. A credential is optional, but an invalid one is refused. With a session token, `self` is your own full profile. With the key of a bonded agent that has the capability `read:profile`, `self` is the profile of its operator.',
  remarks: [
    'A masked id is `DUCK-…` and the last four characters. `joined` is a month. `q` has 1 to 64 characters, in any case, and a handle may have its `@`.',
  ],
  auth: 'optional',
  limit: 'authenticated',
  query: z.strictObject({
    ...pageQuery(20, 100, directoryCursor),
    tier: tier.optional(),
    q: directorySearch.optional(),
  }),
  response: listOf(DirectoryEntry).extend({ self: Profile.optional() }),
  handle: (context, { query }) => listDirectory(context, pageRequest(query), query),
})
