import { z } from 'zod'
import { scopes } from '@/lib/domain/agents/scopes'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { type ResourceName, resourceUrl } from '@/lib/kernel/request/oauth-paths'

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728) of the MCP server and of the API. A program without a beak key gets a token from the authorization server,
 * which is this service.
 */
export const ProtectedResource = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    resource_documentation: z.string(),
    authorization_servers: z.array(z.string()),
    scopes_supported: z.array(z.string()),
    bearer_methods_supported: z.array(z.literal('header')),
  })
  .meta({ id: 'ProtectedResource' })

const documentation = { mcp: '/docs/mcp.md', beak: '/docs/api' }

/** Returns the metadata of a resource. */
export function readProtectedResource(name: ResourceName): z.input<typeof ProtectedResource> {
  return {
    resource: resourceUrl(name),
    resource_name: 'Beak',
    resource_documentation: `${config().baseUrl}${documentation[name]}`,
    authorization_servers: [config().baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }
}

/**
 * Returns the metadata of the resource at a path: `mcp`, `beak`, or with the path of `BASE_URL` as RFC 9728, section 3.1 forms it. Throws
 * `path_not_found` for other paths.
 */
export function readProtectedResourceAt(
  context: AnonymousContext<'path_not_found'>,
  path: string,
): z.input<typeof ProtectedResource> {
  for (const name of ['mcp', 'beak'] as const)
    if (path === name || `/${path}` === `${config().basePath}/${name}`) return readProtectedResource(name)
  throw context.fail('path_not_found')
}
