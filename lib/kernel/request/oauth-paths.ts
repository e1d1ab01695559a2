import { config } from '@/lib/kernel/config'

/** What a token can open: the MCP server, or the API. */
export type ResourceName = 'mcp' | 'beak'
const resourceNames = ['mcp', 'beak'] as const

/** Returns the address of a resource, which is its identifier (RFC 8707). */
export function resourceUrl(name: ResourceName): string {
  return `${config().baseUrl}/${name}`
}

/** Returns the address of the MCP server. */
export const mcpUrl = () => resourceUrl('mcp')

/** Returns the resource at an address, or null. */
export function resourceAt(address: string): ResourceName | null {
  return resourceNames.find((name) => address.replace(/\/$/, '') === resourceUrl(name)) ?? null
}

/**
 * Returns the resources for which a connection to some resources may have tokens. The MCP server opens the API only through its tools, so
 * whoever may have a token for the API may have one for the MCP server, and never the other way round.
 */
export function narrowedResources(allowed: readonly string[]): string[] {
  return allowed.some((one) => resourceAt(one) === 'beak')
    ? [...new Set([...allowed, mcpUrl()])]
    : [...allowed]
}

/** Returns the address of the metadata of a resource. It is below the path of `BASE_URL`, so a proxy that passes on only this path can serve it. */
export function protectedResourceUrl(name: ResourceName): string {
  return `${config().baseUrl}/.well-known/oauth-protected-resource/${name}`
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
  introspection: '/oauth/introspect',
  userinfo: '/oauth/userinfo',
} as const

/** Codes go back in the query: the form of `form_post` would need a script on a page of this service. */
export const responseMode = 'query'

/** Where sites find the picture of a person. The subject follows. */
export const picturePath = '/oauth/picture/'

/** The page that a person sees who signed out of a site which names no page of its own. */
export const signedOutPath = '/connect/signed-out'

/** In the query of that page: nothing has ended, because the site did not say whom it means. */
export const askedToSignOut = 'asked'

/** The page where the person allows or refuses what a program asks. */
export const consentPath = '/connect/allow'

/** Whether a person is on the way to that page: signing in or up is then only a step. */
export const leadsToConsent = (path: string): boolean => path.startsWith(`${consentPath}/`)

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
