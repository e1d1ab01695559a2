import { transaction } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { record } from '@/lib/infrastructure/events/record'
import { recordRepeatable } from '@/lib/infrastructure/events/repeated-refusals'
import type { Context } from '@/lib/kernel/context'
import { errorCodes, type Failure, type FailureName, failureTable } from '@/lib/kernel/failures'
import type { Gate } from './definition'

/** Failures that are not recorded: malformed requests, rate limits, busy deliveries, and idempotency keys that were sent again. */
const unrecorded = new Set<FailureName>([
  'invalid_request',
  'rate_limited',
  'webhook_busy',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_busy',
  'idempotency_key_reused',
  'answer_not_stored',
])

/** Attempts that programs repeat by themselves, also programs of strangers: their repetitions become one event with a count. */
const merged = new Set<EventKind>(['peck.sent', 'peck.consumed'])

/**
 * Records a refused attempt in the audit log of the duckling that it concerns (contract A). Failures of the service itself, and
 * refusals that were recorded already, are not recorded.
 */
export async function recordRefusal(
  { attempt }: Gate,
  context: Context,
  { failure, concern }: Failure,
): Promise<void> {
  if (concern === 'recorded' || unrecorded.has(failure)) return
  if (typeof concern === 'function') return concern(context)
  const { code } = failureTable[failure]
  if (errorCodes[code].status >= 500) return
  const kind = (concern?.event ?? attempt) as EventKind | undefined
  const ducklingId = concern?.ducklingId ?? context.caller?.id
  if (kind === undefined || ducklingId === undefined) return
  const metadata = { code, failure, ...concern?.metadata }
  if (merged.has(kind)) return recordRepeatable({ context, kind, ducklingId, metadata })
  await transaction(async (tx) =>
    record(tx, context, kind, { concerning: [ducklingId], outcome: 'denied', metadata }),
  )
}
