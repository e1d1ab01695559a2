import { endpoint } from '@/lib/http/endpoint'
import { currentKeySet } from '@/lib/infrastructure/keys/key-set'
import { Jwks } from '@/lib/proofs/receipts/jwks'

export const GET = endpoint({
  summary: 'Public keys of the service',
  description:
    'RFC 7517. A new key is here two minutes before it signs; old keys stay, so what they signed can be checked. A stolen key leaves `keys` and is named in `distrusted`: do not accept what it signed, and check again what you have accepted since `from`.',
  auth: 'none',
  limit: 'anonymous',
  response: Jwks,
  handle: currentKeySet,
})
