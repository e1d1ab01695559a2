/** What the authorization server answers where its library does not say it, or says something else. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import { isUnreachable } from '@/lib/db/conflict'
import { describeError, log } from '@/lib/kernel/runtime/log'
import { scopes } from './scopes'

/** Codes go back in the query: the form of `form_post` would need a script on a page of this service. */
export const responseMode = 'query'

interface Refusal {
  status: number
  body: { error: string; error_description: string }
}

/** Returns the answer to a request that failed in this service, and logs why. */
export function failed(error: unknown): Refusal {
  log().error({ error: describeError(error as Error) }, 'authorization server')
  return isUnreachable(error)
    ? {
        status: 503,
        body: { error: 'temporarily_unavailable', error_description: 'Try again in some seconds.' },
      }
    : { status: 500, body: { error: 'server_error', error_description: 'The service failed.' } }
}

/** Answers around the library. `failures`: the error of a request that failed in it. */
export function around(failures: WeakMap<object, Error>) {
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    try {
      await next()
    } catch (error) {
      failures.set(context, error as Error)
    }
    const error = failures.get(context)
    if (error !== undefined) Object.assign(context, failed(error))
    else if (context.status === 404 && !context.body)
      Object.assign(context, {
        body: { error: 'not_found', error_description: 'There is nothing at this address.' },
        status: 404,
      })
    else if (context.path.startsWith('/.well-known/') && typeof context.body === 'object' && context.body)
      Object.assign(context.body, {
        scopes_supported: scopes,
        response_modes_supported: [responseMode],
      })
  }
}
