import canonicalize from 'canonicalize'
import { z } from 'zod'
import { sha256Hex } from '@/lib/kernel/secrets'

export type Params = Record<string, unknown>

const bytesMax = 4096

/** RFC 8785 canonical JSON. Spec silent: params that are not given are `{}`. */
export function paramsText(params: Params): string {
  const text = canonicalize(params)
  if (text === undefined) throw new Error('not JSON')
  return text
}

/** SHA-256 in hex of the canonical text: what binds an approval to the very params that were asked. */
export function paramsHash(params: Params): string {
  return sha256Hex(paramsText(params))
}

/** What the action is to be done with: a JSON object of at most 4 KiB in its canonical form. */
export const params = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(paramsText(value)) <= bytesMax, 'must have at most 4 KiB as JSON')
  .default({})
