import canonicalize from 'canonicalize'
import { hex, sha256 } from './bytes'

/** Tells whether these are the parameters with that hash. Without parameters it is `{}`. */
export async function areApprovedParams(paramsHash: string, params: unknown = {}): Promise<boolean> {
  const text = canonicalize(params)
  return text !== undefined && hex(await sha256(text)) === paramsHash
}
