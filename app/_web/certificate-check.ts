/**
 * The check of a certificate (contract D4) that its page, badge and share image use, so they always agree. Returns `valid` only when
 * the API says so: every doubt is another state.
 */
import { cache } from 'react'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { api } from './api'
import { isMissing, isRateLimited, type Problem } from './problem'

const certificateId = idSchema('certificate')

/** What the API tells everyone about a certificate. */
export type Verification = ResponseOf<'GET /beak/cert/verify'>

export type Check =
  | { state: 'valid' | 'revoked' | 'superseded'; certificate: Verification }
  | { state: 'unknown' | 'malformed' }
  /** The check failed: too many requests, or the database is unavailable. */
  | { state: 'unchecked'; isLimited: boolean; retryAfter: number | null }

export type CheckState = Check['state']

/** Checks a certificate number, once per page request. */
export const checkCertificate = cache(async (id: string): Promise<Check> => {
  if (!certificateId.safeParse(id).success) return { state: 'malformed' }
  const result = await api('GET /beak/cert/verify', { query: { cert_id: id } })
  if (!result.ok) return refused(result.problem)
  const { data: certificate } = result
  if (certificate.valid) return { state: 'valid', certificate }
  return { state: certificate.status === 'superseded' ? 'superseded' : 'revoked', certificate }
})

function refused(problem: Problem): Check {
  if (isMissing(problem)) return { state: 'unknown' }
  return {
    state: 'unchecked',
    isLimited: isRateLimited(problem),
    retryAfter: problem.retry_after ?? null,
  }
}
