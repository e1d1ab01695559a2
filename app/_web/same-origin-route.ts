/** Routes under /api: they accept the cookie of a browser, so only our own pages may request them. */
import { problem } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { isCrossOrigin } from '@/lib/http/cross-origin'
import { responseOf } from '@/lib/http/web-adapter'
import { fail } from '@/lib/kernel/failures'

/** Wraps such a route: refuses requests from other sites and forbids caching. */
export function sameOriginRoute(answer: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const requestId = requestIdOf({ 'x-request-id': request.headers.get('x-request-id') ?? undefined })
    const response = isCrossOrigin(request)
      ? responseOf(problem(fail('cross_origin_request'), requestId, { 'X-Request-Id': requestId }))
      : await answer(request)
    if (!response.headers.has('Cache-Control')) response.headers.set('Cache-Control', 'no-store')
    response.headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    return response
  }
}
