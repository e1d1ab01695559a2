import { cache } from 'react'
import { find } from '@/app/_web/read'
import { findViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'

export type Person = ResponseOf<'GET /beak/handle/view'>

/** Returns the person whom the viewer may see under a handle, once per page request, or null. Throws `PageProblem`. */
export const findPerson = cache(
  async (handle: string): Promise<Person | null> =>
    find('GET /beak/handle/view', {
      query: { handle },
      // The API rejects an ended session even on an endpoint that needs none.
      ...((await findViewer()) === null ? { token: '' } : {}),
    }),
)
