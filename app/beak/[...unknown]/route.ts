/**
 * The API where Next serves alone. `next.config.mjs` rewrites every path of the API to `/beak/-/…`, so that the table
 * answers it: with its 404, 405 and preflight, exactly as our own server does.
 */
import { copyPeer } from '@/lib/http/address'
import { targetBelow } from '@/lib/http/base-path'
import { config } from '@/lib/kernel/config'
import { serve } from '../_api/serve'
import { table } from '../_api/table'

export const dynamic = 'force-dynamic'

const answer = serve(table)

function handle(request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = targetBelow(config().basePath, url.pathname) ?? url.pathname
  url.pathname = path.replace(/^\/beak\/-(?=\/)/, '')
  const original = new Request(url, request)
  copyPeer(request, original)
  return answer(original)
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
