import { ProtectedResource, readProtectedResourceAt } from '@/lib/domain/mcp/protected-resource'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getProtectedResourceAt',
  summary: 'Metadata of the MCP server, at its path',
  description:
    'RFC 9728. The path is `mcp`. The header `WWW-Authenticate` of a 401 from the MCP server names this address.',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: ProtectedResource,
  failures: ['path_not_found'],
  handle: (context, { parameter }) => readProtectedResourceAt(context, parameter),
})
