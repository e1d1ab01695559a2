/**
 * The one check behind the page, the badge and the picture of a certificate (contract D4): the API's own, in process, with one
 * vocabulary. Fails closed: whatever is not a clear yes is another state, never `valid`.
 */
import { cache } from 'react'
import { idSchema } from '@/lib/kernel/ids'
import { api } from './api'

const certificateId = idSchema('certificate')

const ask = (id: string) => api('GET /beak/cert/verify', { query: { cert_id: id } })

/** What the API tells anybody about a certificate. */
export type Verification = Extract<Awaited<ReturnType<typeof ask>>, { ok: true }>['data']

export type Check =
  | { state: 'valid' | 'revoked' | 'superseded'; certificate: Verification }
  | { state: 'unknown' | 'malformed' }
  /** Nothing is known: too many requests, or the database is away. */
  | { state: 'unchecked'; isLimited: boolean; retryAfter: number | null }

export type CheckState = Check['state']

/** What a certificate's number is worth at this moment; asked once a request. */
export const checkCertificate = cache(async (id: string): Promise<Check> => {
  if (!certificateId.safeParse(id).success) return { state: 'malformed' }
  const result = await ask(id)
  if (!result.ok)
    return result.problem.status === 404
      ? { state: 'unknown' }
      : {
          state: 'unchecked',
          isLimited: result.problem.status === 429,
          retryAfter: result.problem.retry_after ?? null,
        }
  const { data: certificate } = result
  if (certificate.valid) return { state: 'valid', certificate }
  return { state: certificate.status === 'superseded' ? 'superseded' : 'revoked', certificate }
})
