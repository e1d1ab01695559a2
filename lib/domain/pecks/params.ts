import type { Params } from '@beak/decision/params'
import { canonicalText } from '@beak/proofs/canonical'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { sha256Hex } from '@/lib/kernel/secrets/secrets'

const bytesMax = 4096

/** Returns the params as canonical JSON (RFC 8785). Missing params count as `{}`. */
export function paramsText(params: Params): string {
  return canonicalText(params)
}

/** Returns the canonical text with its SHA-256 (hex), which binds an approval to exactly the params of the request. */
export function hashedParams(params: Params): { text: string; hash: string } {
  const text = paramsText(params)
  return { text, hash: sha256Hex(text) }
}

/** Returns the hash of `hashedParams`. */
export function paramsHash(params: Params): string {
  return hashedParams(params).hash
}

/** The parameters of the action: a JSON object of at most 4 KiB in canonical form. */
export const params = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(paramsText(value)) <= bytesMax, {
    error: m.field_params_too_large,
  })
  .default({})
