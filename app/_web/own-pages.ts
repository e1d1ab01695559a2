/** What is for our own pages only: who may ask for what a browser's cookie opens. */
import { requestIdOf } from '@/lib/http/endpoint'
import { isForeign } from '@/lib/http/foreign'
import { problem } from '@/lib/http/respond'
import { fail } from '@/lib/kernel/failures'

/** A route that a browser reads or downloads from with its cookie: refused to others, and kept by nobody on the way. */
export function forOwnPages(answer: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = requestIdOf(request)
    const response = isForeign(request)
      ? problem(fail('foreign_request'), requestId, new Headers({ 'X-Request-Id': requestId }))
      : await answer(request)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    return response
  }
}
