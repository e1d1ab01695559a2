import { config } from '@/lib/kernel/config'

/** Returns the address of the MCP server, which is its resource identifier (RFC 8707). */
export function mcpUrl(): string {
  return `${config().baseUrl}/mcp`
}

/** The addresses of the authorization server, below the path of `BASE_URL`. */
export const oauthRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  pushed_authorization_request: '/oauth/request',
  jwks: '/oauth/jwks',
  end_session: '/oauth/logout',
} as const

/** The page where the person allows or refuses what a program asks. */
export const consentPath = '/connect/allow'

/**
 * The cookie of the browser that a program sent here. The page has the id of the consent in its address, which can be sent to somebody else. Only
 * with the cookie, which cannot, may the person decide: so nobody connects his program to another account.
 */
export const browserCookie = 'beak_connect'

const metadata = /^\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/
const metadataTarget = new RegExp(`${metadata.source}/?(?:\\?|$)`)

/** Whether the authorization server answers a target below the path of `BASE_URL`. */
export function isOAuthPath(target: string): boolean {
  return target.startsWith('/oauth/') || metadataTarget.test(target)
}

/**
 * Returns the target of the metadata when a path is the one at the root of the host, where programs look first (RFC 8414, section 3.1), or null.
 * There, the path of `BASE_URL` comes last.
 */
export function oauthMetadataAtRoot(path: string, basePath: string): string | null {
  const [name] = metadata.exec(path) ?? []
  if (name === undefined) return null
  const [rest = ''] = path.slice(name.length).split('?', 1)
  return rest === basePath || rest === `${basePath}/` ? name : null
}
