/** What the authorization server answers where its library does not say it, or says something else. */
import type { RequestListener } from 'node:http'
import { parseUrl } from '@beak/decision/parse-url'
import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { scopes } from '@/lib/domain/agents/scopes'
import { isAllowedClient } from '@/lib/domain/oauth/connection'
import { isKnownSite } from '@/lib/domain/oauth/self-registered'
import { isSiteId } from '@/lib/domain/oauth/site-client'
import { siteScopes } from '@/lib/domain/oauth/site-scopes'
import { toFailure } from '@/lib/http/answer'
import { config } from '@/lib/kernel/config'
import { oauthRoutes, responseMode } from '@/lib/kernel/request/oauth-paths'
import { answerForSites } from './sites'

/** Returns the answer to a request that failed in this service, and logs why. */
export function failed(error: unknown, requestId: string) {
  return toFailure(error, requestId).failure === 'unavailable'
    ? {
        status: 503,
        body: { error: 'temporarily_unavailable', error_description: 'Try again in some seconds.' },
      }
    : { status: 500, body: { error: 'server_error', error_description: 'The service failed.' } }
}

const notFound = {
  body: { error: 'not_found', error_description: 'There is nothing at this address.' },
  // Koa answers 200 with a body, unless the status comes after it.
  status: 404,
}

/**
 * Whether an error would send the browser to a program that nobody has ever allowed. Anybody can register one, so a link to this service could lead
 * anywhere (RFC 9700, section 4.11.2).
 */
async function leavesForStranger(context: KoaContextWithOIDC): Promise<boolean> {
  const { path, status, oidc } = context
  if (path !== oauthRoutes.authorization || status !== 303 || oidc?.client === undefined) return false
  // A site asks with `prompt=none` whether anybody is signed in.
  if (isSiteId(oidc.client.clientId) && (await isKnownSite(oidc.client.clientId))) return false
  const target = parseUrl(String(context.response.get('Location')), config().origin)
  return target?.origin !== config().origin && !(await isAllowedClient(oidc.client.clientId))
}

/** Returns the answer that says here what the program would have got. */
function refusedHere(context: KoaContextWithOIDC) {
  const { searchParams } = new URL(String(context.response.get('Location')))
  context.response.remove('Location')
  const body = {
    error: searchParams.get('error'),
    error_description: searchParams.get('error_description') ?? undefined,
  }
  return { body, type: 'json', status: 400 }
}

/** Answers around the library. `failures`: the error of a request that failed in it. */
function around(failures: WeakMap<object, unknown>) {
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    try {
      if (!(await answerForSites(context))) await next()
    } catch (error) {
      failures.set(context, error)
    }
    const { path, body } = context
    if (failures.has(context))
      Object.assign(context, failed(failures.get(context), String(context.response.get('X-Request-Id'))))
    else if (await leavesForStranger(context)) Object.assign(context, refusedHere(context))
    else if (context.status === 404 && !body) Object.assign(context, notFound)
    else if (path.startsWith('/.well-known/') && typeof body === 'object' && body !== null)
      Object.assign(body, {
        scopes_supported: [...new Set([...scopes, 'openid', ...siteScopes])],
        response_modes_supported: [responseMode],
        subject_types_supported: ['pairwise'],
      })
  }
}

const listeners = new WeakMap<Provider, RequestListener>()

/** Returns the function that answers the requests to an authorization server. */
export function listenerOf(server: Provider): RequestListener {
  const known = listeners.get(server)
  if (known !== undefined) return known
  const failures = new WeakMap<object, unknown>()
  server.on('server_error', (context: KoaContextWithOIDC, error: Error) => failures.set(context, error))
  server.use(around(failures))
  const listener = server.callback()
  listeners.set(server, listener)
  return listener
}
