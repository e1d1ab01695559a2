/** One request to a witness (C2SP tlog-witness v1.0.0), and what its answer means. */

import { parseSize } from '@beak/proofs/log/checkpoint'
import { proveConsistency } from '@beak/proofs/log/merkle'
import { openNote, parseNote, parseSignatureLine } from '@beak/proofs/log/note'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'
import { db } from '@/lib/db/client'
import { whileRenewed } from '@/lib/infrastructure/worker/renew'
import type { Witness } from '@/lib/kernel/config/tlog-witnesses'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { readLimited } from '@/lib/kernel/runtime/read-limited'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { findCheckpoint, type PublishedCheckpoint } from './published'
import { readTree } from './tree'
import { type AddCheckpoint, formatAddCheckpoint } from './witness'
import { type Lease, releaseLease, renewLease, storeCosignature, storeSize, takeLease } from './witness-lease'

/** For connecting, headers and body together. */
const timeoutMs = 10_000
const answerBytesMax = 1024 * 1024

type WitnessReply =
  /** The verified signature line, without its newline. */
  | { outcome: 'cosigned'; line: string }
  /** The witness expects another old size. */
  | { outcome: 'recorded'; size: number }
  /** The witness has cosigned a tree that this log does not continue. */
  | { outcome: 'forked'; why: string }
  /** Any other answer. Another try may succeed. */
  | { outcome: 'failed'; why: string }

/** Sends a checkpoint with its proof. Never throws. */
async function askWitness(witness: Witness, request: AddCheckpoint): Promise<WitnessReply> {
  try {
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: formatAddCheckpoint(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const bytes = await readLimited(response.body, answerBytesMax)
    if (bytes === null) throw new Error(`the answer is longer than ${answerBytesMax} bytes`)
    const isSize = response.headers.get('content-type')?.split(';')[0]?.trim() === 'text/x.tlog.size'
    return await readReply(witness, request, { code: response.status, isSize, text: bytes.toString() })
  } catch (error) {
    return { outcome: 'failed', why: reasonOf(error) }
  }
}

interface Answer {
  code: number
  isSize: boolean
  text: string
}

async function readReply(
  witness: Witness,
  { oldSize, note }: AddCheckpoint,
  answer: Answer,
): Promise<WitnessReply> {
  const { code, isSize, text } = answer
  if (code === 200) {
    const line = await findCosignature(witness, note, text)
    return line === null
      ? { outcome: 'failed', why: 'the answer has no good cosignature of this witness' }
      : { outcome: 'cosigned', line }
  }
  const size = isSize ? parseSize(text.replace(/\n$/, '')) : null
  // A witness that expects the size we sent has another root for that size.
  if (code === 409 && size !== null && size !== oldSize) return { outcome: 'recorded', size }
  const why = `status ${code}: ${text.slice(0, 200)}`
  return { outcome: code === 409 || code === 422 ? 'forked' : 'failed', why }
}

/** Returns the signature line of the witness in an answer, or null when it is missing or not valid. Ignores the lines of other keys. */
async function findCosignature({ key }: Witness, note: string, answer: string): Promise<string | null> {
  const checkpoint = parseNote(note)
  for (const line of answer.split('\n')) {
    const parsed = parseSignatureLine(line)
    if (checkpoint === null || parsed?.name !== key.name || parsed.id !== key.id) continue
    return (await openNote({ ...checkpoint, signatures: [parsed] }, [key])) === null ? null : line
  }
  return null
}

/** Returns the reason of an error. The message of a `fetch` error only says that it failed; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

/**
 * Asks witnesses to cosign the newest checkpoint of the log. A witness that is down or refuses is asked again later, and holds up
 * nothing else.
 */

const firstWaitSeconds = 10
const longestWaitSeconds = 5 * minute

/** When this process asks a witness again. */
interface RetryState {
  /** Failures since the last success. */
  failures: number
  /** The witness is not asked before this time. */
  notBefore: Date
  /** No failure is logged before this time: at most one a minute is. */
  nextLogAt: Date
}

const longAgo = new Date(0)
const retryStates = () => singleton('tlog.witnesses', () => new Map<string, RetryState>())

function retryStateOf({ vkey }: Witness): RetryState {
  return retryStates().get(vkey) ?? { failures: 0, notBefore: longAgo, nextLogAt: longAgo }
}

/**
 * Returns whether a time is in the future. A time more than `limit` seconds ahead was stored before the clock was set back, and is
 * ignored.
 */
function isAhead(time: Date, now: Date, limit: number): boolean {
  return now < time && time <= secondsAfter(now, limit)
}

/** Asks a witness to cosign the newest checkpoint, when a request is due. Does not throw when the witness fails. */
export async function cosign(witness: Witness, now: Date): Promise<void> {
  if (isAhead(retryStateOf(witness).notBefore, now, longestWaitSeconds)) return
  const found = await findUncosigned(witness)
  if (found === null) return
  const lease = await takeLease(witness.vkey, found.origin, now)
  if (lease === null) return
  // Read again: before this instance took the lease, another one may have stored a cosignature.
  const checkpoint = await findUncosigned(witness)
  if (checkpoint?.origin !== lease.origin) return releaseLease(lease)
  const reply = await whileRenewed(
    (at) => renewLease(lease, at),
    () => submit(witness, checkpoint, lease),
  )
  if (reply.outcome === 'cosigned') {
    await storeCosignature(lease, checkpoint, reply.line, now)
    retryStates().delete(witness.vkey)
  } else {
    await releaseLease(lease)
    delayNextTry(witness, reply, checkpoint, now)
  }
}

/** Returns the newest checkpoint, or null when there is none or the witness has cosigned it already. */
async function findUncosigned({ key }: Witness): Promise<PublishedCheckpoint | null> {
  const checkpoint = await findCheckpoint(db())
  return checkpoint === null || isSignedBy(checkpoint.note, key) ? null : checkpoint
}

function isSignedBy(note: string, { name, id }: VerifierKey): boolean {
  return parseNote(note)?.signatures.some((line) => line.name === name && line.id === id) ?? false
}

/**
 * Sends the checkpoint to the witness. When the witness answers that it has recorded another size, sends the checkpoint once more with
 * a proof from that size.
 */
async function submit(
  witness: Witness,
  checkpoint: PublishedCheckpoint,
  lease: Lease,
): Promise<WitnessReply> {
  const { size, note } = checkpoint
  const ask = async (oldSize: number) => {
    const proof = await proveConsistency(oldSize, size, readTree(db(), size))
    return askWitness(witness, { oldSize, proof, note })
  }
  const reply = await ask(Math.min(lease.size, size))
  if (reply.outcome !== 'recorded') return reply
  if (reply.size > size)
    return { outcome: 'forked', why: `it has cosigned ${reply.size} entries, and this log has ${size}` }
  await storeSize(lease, reply.size)
  return ask(reply.size)
}

/** Delays the next try, longer after each failure, and writes a log line. */
function delayNextTry(
  witness: Witness,
  reply: Exclude<WitnessReply, { outcome: 'cosigned' }>,
  { size }: PublishedCheckpoint,
  now: Date,
): void {
  const { failures, nextLogAt } = retryStateOf(witness)
  const wait = Math.min(firstWaitSeconds * 2 ** failures, longestWaitSeconds)
  const isTooSoon = isAhead(nextLogAt, now, minute)
  retryStates().set(witness.vkey, {
    failures: failures + 1,
    notBefore: secondsAfter(now, wait),
    nextLogAt: isTooSoon ? nextLogAt : secondsAfter(now, minute),
  })
  if (isTooSoon) return
  const reason = reply.outcome === 'recorded' ? `it expects the old size ${reply.size} now` : reply.why
  const fields = { witness: witness.key.name, size, reason, nextTrySeconds: wait }
  if (reply.outcome === 'forked')
    log().error(
      fields,
      'the witness has cosigned a tree that this log does not continue: the database was restored from an older backup, or somebody else signs with the key of the log (see docs/audit/witness.md)',
    )
  else log().warn(fields, 'a witness did not cosign the checkpoint')
}
