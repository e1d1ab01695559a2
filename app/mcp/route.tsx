/** The MCP server under Next without our own server, which answers `/mcp` itself. */

import { callOf, responseOf } from '@/lib/http/adapters'
import { stripBasePath } from '@/lib/http/base-path'
import { config } from '@/lib/kernel/config'
import { answerMcp } from './_server/answer'

export const dynamic = 'force-dynamic'

async function handle(request: Request): Promise<Response> {
  const call = callOf(request)
  return responseOf(
    await answerMcp({ ...call, path: stripBasePath(config().basePath, call.path) ?? call.path }),
  )
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
