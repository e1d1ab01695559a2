/**
 * Merges repeated refusals (contract A, Audit). The first refusal is an event at once. Repetitions within ten minutes are only counted in
 * memory, and written as one event with their `count` after that time, so that nobody can fill a log by repeating a refused request.
 *
 * Each process merges its own. A process that ends loses the counts of at most ten minutes.
 */
import { transaction } from '@/lib/db/transaction'
import type { CallerContext } from '@/lib/kernel/request/context'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import type { EventKind } from './kinds'
import { record } from './record'

/** A refused attempt, as the log of one duckling records it. */
export interface Refusal {
  context: CallerContext
  kind: EventKind
  ducklingId: string
  metadata: Record<string, string | number | null>
}

interface Repeated {
  until: Date
  count: number
  last: Refusal
}

const mergeSeconds = 10 * minute
/** The most different refusals in memory. Further ones are written at once. */
const refusalsMax = 10_000

const repeated = () => singleton('events.repeatedRefusals', () => new Map<string, Repeated>())

const keyOf = ({ kind, ducklingId, metadata }: Refusal): string =>
  JSON.stringify([kind, ducklingId, Object.entries(metadata).sort()])

/** Records the refusal, or counts it when the same one was recorded less than ten minutes ago. */
export async function recordRepeatable(refusal: Refusal): Promise<void> {
  const key = keyOf(refusal)
  const { now } = refusal.context
  const known = repeated().get(key)
  if (known !== undefined && now < known.until) {
    known.count += 1
    known.last = refusal
    return
  }
  if (known !== undefined || repeated().size < refusalsMax)
    repeated().set(key, { until: secondsAfter(now, mergeSeconds), count: 0, last: refusal })
  await write(refusal, 1 + (known?.count ?? 0))
}

/** Writes the counts whose ten minutes are over. Called by the worker. */
export async function writeRepeated(now: Date): Promise<void> {
  for (const [key, { until, count, last }] of [...repeated()]) {
    if (until > now) continue
    repeated().delete(key)
    if (count > 0) await write({ ...last, context: { ...last.context, now } }, count)
  }
}

/** Records one event. `count`: the refusals that it stands for. */
async function write({ context, kind, ducklingId, metadata }: Refusal, count: number): Promise<void> {
  await transaction(async (tx) =>
    record(tx, context, kind, {
      concerning: [ducklingId],
      outcome: 'denied',
      metadata: count === 1 ? metadata : { ...metadata, count },
    }),
  )
}
