/** Passes requests on to the authorization server, which is an application of Koa. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openDatabase } from '@/lib/db/client'
import { fetchLimits } from '@/lib/domain/oauth/documents'
import { authorizationServer } from '@/lib/domain/oauth/provider'
import { isSiteId } from '@/lib/domain/oauth/site-client'
import { addressOf, takeByAddress } from '@/lib/http/address-limit'
import { baseHeaders } from '@/lib/http/answer'
import { requestIdOf } from '@/lib/http/call'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { config } from '@/lib/kernel/config'
import { mcpUrl, oauthRoutes, responseMode } from '@/lib/kernel/request/oauth-paths'
import { observer } from '@/lib/kernel/runtime/observer'
import { failed, listenerOf } from './answers'

/** Returns the target with the defaults of this service: programs that name no scope may ask, at the MCP server. */
function withDefaults(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://here.invalid')
  if (pathname !== oauthRoutes.authorization) return target
  if (!isSiteId(searchParams.get('client_id'))) {
    if (!searchParams.has('scope')) searchParams.set('scope', 'ask')
    if (!searchParams.has('resource')) searchParams.set('resource', mcpUrl())
  }
  const mode = searchParams.get('response_mode')
  // The library has no such mode, so it refuses the request.
  if (mode !== null && mode !== responseMode) searchParams.set('response_mode', 'none')
  return `${pathname}?${searchParams}`
}

/** Answers a request whose target is below the path of `BASE_URL`. Never throws. */
export async function answerOAuth(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const requestId = requestIdOf(request.headers as Record<string, string>)
  // Scripts of other origins read only what the library allows them.
  const {
    'Access-Control-Allow-Origin': _origins,
    'Access-Control-Expose-Headers': _exposed,
    ...headers
  } = baseHeaders(requestId)
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  const started = performance.now()
  const operationId = operationOf(request.url ?? '/')
  try {
    await pass(request, response)
  } catch (error) {
    const { status, body } = failed(error, requestId)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }
  observer()?.call({ operationId }, response.statusCode, performance.now() - started)
}

/** Returns the name of an operation in the metrics, such as `oauth.token`. */
function operationOf(target: string): string {
  if (!target.startsWith('/oauth/')) return 'oauth.metadata'
  // Not of other methods or paths, so that strangers make no names.
  const found = Object.entries(oauthRoutes).find(([, path]) => new RegExp(`^${path}(?:[/?]|$)`).test(target))
  return found === undefined ? 'none' : `oauth.${found[0]}`
}

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  await openDatabase()
  await prepareKeys()
  const { origin, basePath } = config()
  const address = addressOf(request)
  fetchLimits.set(request, async (pages) => (await takeByAddress('pages', address, pages)).success)
  const { protocol, host } = new URL(origin)
  const target = request.method === 'GET' ? withDefaults(request.url ?? '/') : (request.url ?? '/')
  // The library derives its addresses from these, and whoever sends a request could choose them.
  Object.assign(request.headers, {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-host': host,
  })
  request.url = target
  Object.assign(request, { originalUrl: `${basePath}${target}` })
  await listenerOf(await authorizationServer())(request, response)
}
