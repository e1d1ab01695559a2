/**
 * The API under Next without our own server. `next.config.mjs` rewrites every path of the API to `/beak/-/…`, so the table answers
 * all of them, including 404, 405 and preflights, as in our own server.
 */

import { callOf, responseOf } from '@/lib/http/adapters'
import { stripBasePath } from '@/lib/http/base-path'
import { config } from '@/lib/kernel/config'
import { serve } from '../_api/serve'
import { table } from '../_api/table'

export const dynamic = 'force-dynamic'

const answer = serve(table)

async function handle(request: Request): Promise<Response> {
  const call = callOf(request)
  const path = stripBasePath(config().basePath, call.path) ?? call.path
  return responseOf(await answer({ ...call, path: path.replace(/^\/beak\/-(?=\/)/, '') }))
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
