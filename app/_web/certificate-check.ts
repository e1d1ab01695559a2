/**
 * Checks a certificate with the API, for its page, its badge and its image (contract D4). Returns `valid` only when every check
 * passed.
 */
import { cache } from 'react'
import { idSchema } from '@/lib/kernel/ids'
import { api } from './api'
import { isMissing, isRateLimited } from './problem'

const certificateId = idSchema('certificate')

const verify = (id: string) => api('GET /beak/cert/verify', { query: { cert_id: id } })

/** The public facts of a certificate. */
export type Verification = Extract<Awaited<ReturnType<typeof verify>>, { ok: true }>['data']

export type Check =
  | { state: 'valid' | 'revoked' | 'superseded'; certificate: Verification }
  | { state: 'unknown' | 'malformed' }
  /** The check was not possible: too many requests, or no database. */
  | { state: 'unchecked'; isLimited: boolean; retryAfter: number | null }

export type CheckState = Check['state']

/** Returns the current state of a certificate. Calls the API once per page request. */
export const checkCertificate = cache(async (id: string): Promise<Check> => {
  if (!certificateId.safeParse(id).success) return { state: 'malformed' }
  const result = await verify(id)
  if (!result.ok)
    return isMissing(result.problem)
      ? { state: 'unknown' }
      : {
          state: 'unchecked',
          isLimited: isRateLimited(result.problem),
          retryAfter: result.problem.retry_after ?? null,
        }
  const { data: certificate } = result
  if (certificate.valid) return { state: 'valid', certificate }
  return { state: certificate.status === 'superseded' ? 'superseded' : 'revoked', certificate }
})
