import canonicalize from 'canonicalize'
import { hex, sha256 } from './bytes'
import { hasExactNumbers } from './exact-numbers'

/** Tells whether these are the parameters with that hash. Without parameters it is `{}`. Never for a number that JSON does not keep. */
export async function areApprovedParams(paramsHash: string, params: unknown = {}): Promise<boolean> {
  const text = canonicalize(params)
  return text !== undefined && hasExactNumbers(params) && hex(await sha256(text)) === paramsHash
}
