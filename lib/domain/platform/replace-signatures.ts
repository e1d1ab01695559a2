/**
 * What follows from a distrusted key: the sessions that it signed end, and the certificates that it signed are signed again. The
 * operator's command does this at once; the worker of any instance finishes what a command that was interrupted left.
 */

import type { ChangedBatch } from '@/lib/db/id-window'
import { countCertificatesSignedBy, signBatchAgain } from '@/lib/domain/certs/sign-again'
import { countSessionsSignedBy, endBatchSignedBy } from '@/lib/domain/sessions/end-signed-by'
import type { OutboxPayloads } from '@/lib/infrastructure/events/outbox'
import { Postponed } from '@/lib/infrastructure/events/postponed'

/** Batches after which the worker stores its place, so that an interrupted worker repeats little. */
const batchesMax = 20

export interface Step {
  name: 'sessions' | 'certificates'
  /** Counts what is left to do. */
  count(): Promise<number>
  /** Does the next batch after an id. `next` is null at the end. */
  run(after: string): Promise<ChangedBatch>
}

/** Returns the work in order: access ends first. */
export function stepsFor(kid: string, now: Date): Step[] {
  return [
    {
      name: 'sessions',
      count: () => countSessionsSignedBy(kid, now),
      run: (after) => endBatchSignedBy(kid, after, now),
    },
    {
      name: 'certificates',
      count: () => countCertificatesSignedBy(kid),
      run: (after) => signBatchAgain(kid, after, now),
    },
  ]
}

/**
 * Does all the work, and calls `onProgress` before and after each batch. Safe to run twice or at the same time as another, because
 * every change is guarded.
 */
export async function replaceSignatures(
  kid: string,
  now: Date,
  onProgress: (name: Step['name'], done: number, total: number) => void,
): Promise<void> {
  for (const { name, count, run } of stepsFor(kid, now)) {
    const total = await count()
    let done = 0
    onProgress(name, done, total)
    for (let after: string | null = ''; after !== null; ) {
      const batch: ChangedBatch = await run(after)
      after = batch.next
      done += batch.count
      if (batch.count > 0) onProgress(name, done, total)
    }
    // Instances that are running may have done a part of the work meanwhile.
    if (done < total) onProgress(name, total, total)
  }
}

/** Does at most `batchesMax` batches. Throws `Postponed` until now, with the place to go on at, while there may be more. */
export async function replaceForWorker(
  { kid, step, after = '' }: OutboxPayloads['replace_signatures'],
  now: Date,
): Promise<void> {
  const steps = stepsFor(kid, now)
  const current = Math.max(
    0,
    steps.findIndex(({ name }) => name === step),
  )
  let batches = 0
  for (const { name, run } of steps.slice(current)) {
    for (let place: string | null = name === step ? after : ''; place !== null; batches++) {
      if (batches === batchesMax) throw new Postponed(now, { kid, step: name, after: place })
      place = (await run(place)).next
    }
  }
}
