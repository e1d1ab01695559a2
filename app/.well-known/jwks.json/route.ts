import { endpoint } from '@/lib/http/endpoint'
import { Jwks } from '@/lib/keys/schema'
import { publicKeys } from '@/lib/keys/signing-keys'

export const GET = endpoint({
  summary: 'Public keys of the service',
  description:
    'RFC 7517. A new key is here two minutes before it signs; old keys stay, so what they signed can be checked.',
  auth: 'none',
  limit: 'anonymous',
  response: Jwks,
  // Shorter than the two minutes a key is published before it signs.
  handle: () => ({ keys: publicKeys() }),
})
