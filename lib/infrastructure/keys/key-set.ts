import type { JwksInput } from '@/lib/infrastructure/keys/jwks'
import { distrustedKeys, publicKeys, refreshKeys } from './signing-keys'

/** Returns the current trusted and distrusted keys of the database, for `/.well-known/jwks.json`. */
export async function currentKeySet(): Promise<JwksInput> {
  await refreshKeys()
  return { keys: publicKeys(), distrusted: distrustedKeys() }
}
