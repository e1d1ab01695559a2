/** What is for our own pages only: who may ask for what a browser's cookie opens. */
import { problem } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { isCrossOrigin } from '@/lib/http/cross-origin'
import { responseOf } from '@/lib/http/web-adapter'
import { fail } from '@/lib/kernel/failures'

/** A route that a browser reads or downloads from with its cookie: refused to others, and kept by nobody on the way. */
export function forOwnPages(answer: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = requestIdOf({ 'x-request-id': request.headers.get('x-request-id') ?? undefined })
    const response = isCrossOrigin(request)
      ? responseOf(problem(fail('foreign_request'), requestId, { 'X-Request-Id': requestId }))
      : await answer(request)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    return response
  }
}
