/**
 * Replaces the signatures of a distrusted key: its sessions are ended, and its certificates are signed again. The operator's command
 * does all of it. When the command is interrupted, the worker of any instance finishes the rest.
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
  /** Returns the number of rows that are left. */
  count(): Promise<number>
  /** Changes the next batch after an id. `next` is null after the last batch. */
  run(after: string): Promise<ChangedBatch>
}

/** Returns the steps in order. Sessions come first, because they give access. */
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
 * Runs all steps and calls `onProgress` before the first and after each batch. Can be repeated or run several times simultaneously,
 * because every change is a guarded update.
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
    // Workers of running instances may have done a part of the work meanwhile.
    if (done < total) onProgress(name, total, total)
  }
}

/**
 * Runs at most `batchesMax` batches. When more may be left, throws `Postponed` with the position for the next run, which is due
 * immediately.
 */
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
