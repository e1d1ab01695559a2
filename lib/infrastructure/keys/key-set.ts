import type { JwksInput } from '@/lib/proofs/receipts/jwks'
import { distrustedKeys, publicKeys, refreshKeys } from './signing-keys'

/** Returns the key set as it is in the database now, for `/.well-known/jwks.json`: trusted keys, and which ones are distrusted. */
export async function currentKeySet(): Promise<JwksInput> {
  await refreshKeys()
  return { keys: publicKeys(), distrusted: distrustedKeys() }
}
