import { ProtectedResource, readProtectedResource } from '@/lib/domain/mcp/protected-resource'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getProtectedResource',
  summary: 'Metadata of the MCP server',
  description: 'RFC 9728. The same as at `/.well-known/oauth-protected-resource/mcp`.',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: ProtectedResource,
  handle: () => readProtectedResource('mcp'),
})
