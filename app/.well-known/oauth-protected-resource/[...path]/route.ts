import { ProtectedResource, readProtectedResourceAt } from '@/lib/domain/mcp/protected-resource'
import { endpoint } from '@/lib/http/endpoint'

export const GET = endpoint({
  operationId: 'getProtectedResourceAt',
  summary: 'Metadata of the MCP server or of the API, at its path',
  description:
    'RFC 9728. The path is `mcp` or `beak`. The header `WWW-Authenticate` of a 401 names this address, where a beak key is accepted.',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  response: ProtectedResource,
  failures: ['path_not_found'],
  handle: (context, { parameter }) => readProtectedResourceAt(context, parameter),
})
