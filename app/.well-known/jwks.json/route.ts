import { endpoint } from '@/lib/http/endpoint'
import { currentKeySet, Jwks } from '@/lib/infrastructure/keys/key-set'

export const GET = endpoint({
  operationId: 'getPublicKeys',
  summary: 'Public keys of the service',
  description:
    'RFC 7517. A new key is published two minutes before it signs. Old keys stay, so that their signatures can still be verified. A stolen key is removed from `keys` and named in `distrusted`: do not accept its signatures, and check again everything that you have accepted since `from`.',
  auth: 'none',
  limit: 'anonymous',
  response: Jwks,
  handle: currentKeySet,
})
