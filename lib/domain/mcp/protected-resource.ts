import { z } from 'zod'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'

/**
 * OAuth 2.0 Protected Resource Metadata (RFC 9728) of the MCP server. There is no `authorization_servers`: beak keys come from
 * `POST /beak/agent/register` and not from an OAuth server.
 */
export const ProtectedResource = z
  .object({
    resource: z.string(),
    resource_name: z.string(),
    resource_documentation: z.string(),
    bearer_methods_supported: z.array(z.literal('header')),
  })
  .meta({ id: 'ProtectedResource' })

/** Returns the address of the MCP server, which is its resource identifier. */
export function mcpUrl(): string {
  return `${config().baseUrl}/mcp`
}

/** Returns the address of the metadata. It is below the path of `BASE_URL`, so a proxy that passes on only this path can serve it. */
export function protectedResourceUrl(): string {
  return `${config().baseUrl}/.well-known/oauth-protected-resource/mcp`
}

/** Returns the metadata of the MCP server. */
export function readProtectedResource(): z.input<typeof ProtectedResource> {
  return {
    resource: mcpUrl(),
    resource_name: 'Beak',
    resource_documentation: `${config().baseUrl}/docs/mcp.md`,
    bearer_methods_supported: ['header'],
  }
}

/**
 * Returns the metadata of the resource at a path: `mcp`, or with the path of `BASE_URL` as RFC 9728, section 3.1 forms it. Throws
 * `path_not_found` for other paths.
 */
export function readProtectedResourceAt(
  context: AnonymousContext<'path_not_found'>,
  path: string,
): z.input<typeof ProtectedResource> {
  if (path !== 'mcp' && `/${path}` !== `${config().basePath}/mcp`) throw context.fail('path_not_found')
  return readProtectedResource()
}
