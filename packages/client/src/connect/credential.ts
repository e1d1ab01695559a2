/** The credential of a connected coding agent, renewed when it has expired. It can ask, use and cancel, and decides nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback } from '@beak/proofs/loopback'
import * as oauth from 'oauth4webapi'
import { Beak } from '../beak'
import type { Credential } from '../options'
import { type Layout, type ToolName, tellUser } from './layout'
import { readCredentials, type StoredCredential, storeCredential } from './state'

/** A token that ends sooner is renewed. In milliseconds. */
const marginMs = 60_000
const timeoutMs = 10_000
/** The service gives the same successor of a refresh token for 30 seconds, so a lost answer is asked for again within this time. */
const retryDelays = [500, 2_000, 5_000]

/** The connection has ended: the person must allow it again. */
class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError'
}

/** Which of the two resources of the service a token opens: the API, or the MCP server. */
type Resource = 'beak' | 'mcp'

/** How oauth4webapi calls the service. It refuses `http:` unless a service on this computer is meant. */
export const httpOptions = (url: string) => ({
  [oauth.allowInsecureRequests]: isLoopback(url),
  signal: () => AbortSignal.timeout(timeoutMs),
})

/** Reads where the authorization server of a service answers. */
export async function discover(url: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(url)
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...httpOptions(url) })
  return oauth.processDiscoveryResponse(issuer, response)
}

type OAuthCredential = Extract<StoredCredential, { client_id: string }>

/**
 * Exchanges the refresh token, stores its successor, and returns an access token for a resource. A token for the API replaces the stored one.
 *
 * @throws ConnectionEndedError when the person must allow the connection again
 */
async function refresh(
  layout: Layout,
  tool: ToolName,
  stored: OAuthCredential,
  resource: Resource,
): Promise<oauth.TokenEndpointResponse> {
  const { url, client_id, refresh_token } = stored
  const server = await discover(url)
  const options = { ...httpOptions(url), additionalParameters: { resource: `${url}/${resource}` } }
  for (let attempt = 0; ; attempt++) {
    try {
      const sent = await oauth.refreshTokenGrantRequest(
        server,
        { client_id },
        oauth.None(),
        refresh_token,
        options,
      )
      const tokens = await oauth.processRefreshTokenResponse(server, { client_id }, sent)
      const kept = resource === 'beak' ? credentialOf(url, client_id, tokens, refresh_token) : stored
      await storeCredential(layout, tool, { ...kept, refresh_token: tokens.refresh_token ?? refresh_token })
      return tokens
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
        throw new ConnectionEndedError(`The connection of this agent at ${url} has ended. ${tellUser(tool)}`)
      const delay = retryDelays[attempt]
      if (delay === undefined || error instanceof oauth.ResponseBodyError) throw error
      await sleep(delay)
    }
  }
}

/** Returns what to store for the tokens of an answer. */
export function credentialOf(
  url: string,
  client_id: string,
  tokens: oauth.TokenEndpointResponse,
  refreshed?: string,
): StoredCredential {
  const refresh_token = tokens.refresh_token ?? refreshed
  if (refresh_token === undefined) throw new Error('The service gave no refresh token.')
  const expires_at = Date.now() + (tokens.expires_in ?? 0) * 1000
  return { url, client_id, refresh_token, access_token: tokens.access_token, expires_at }
}

/** Returns a token of the connection for the MCP server, which is less than a token for the API. */
export async function mcpToken(layout: Layout, tool: ToolName): Promise<{ token: string; endsAt: number }> {
  const stored = (await readCredentials(layout))[tool]
  if (stored === undefined) throw new ConnectionEndedError(`There is no connection. ${tellUser(tool)}`)
  if ('key' in stored) return { token: stored.key, endsAt: Number.POSITIVE_INFINITY }
  const { access_token: token, expires_in = 0 } = await refresh(layout, tool, stored, 'mcp')
  return { token, endsAt: Date.now() + expires_in * 1000 - marginMs }
}

/** Returns a client with the credential of a tool. Throws `ConnectionEndedError` when there is none. */
export async function connectedBeak(layout: Layout, tool: ToolName): Promise<Beak> {
  const stored = (await readCredentials(layout))[tool]
  if (stored === undefined) throw new ConnectionEndedError(`There is no connection. ${tellUser(tool)}`)
  const { url } = stored
  const settings = { url, allowTest: isLoopback(url) }
  if ('key' in stored) return new Beak({ ...settings, key: stored.key })
  const auth = async (): Promise<Credential> => {
    // Another process may have renewed it since.
    const current = (await readCredentials(layout))[tool]
    if (current === undefined || 'key' in current || current.url !== url)
      throw new ConnectionEndedError(`The connection has changed. ${tellUser(tool)}`)
    const isValid = current.expires_at - Date.now() > marginMs
    return {
      token: isValid ? current.access_token : (await refresh(layout, tool, current, 'beak')).access_token,
    }
  }
  return new Beak({ ...settings, auth })
}
