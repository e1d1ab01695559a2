/** One request to a witness (C2SP tlog-witness v1.0.0), and what its answer means. */

import { parseSize } from '@beak/client/verify/log/checkpoint'
import { openNote, parseNote, parseSignatureLine } from '@beak/client/verify/log/note'
import type { Witness } from '@/lib/kernel/config/tlog-witnesses'
import { readLimited } from '@/lib/kernel/read-limited'
import { type AddCheckpoint, formatAddCheckpoint } from './add-checkpoint'

/** For connecting, headers and body together. */
const timeoutMs = 10_000
const answerBytesMax = 1024 * 1024

export type WitnessReply =
  /** The verified signature line, without its newline. */
  | { outcome: 'cosigned'; line: string }
  /** The witness expects another old size. */
  | { outcome: 'recorded'; size: number }
  /** The witness has cosigned a tree that this log does not continue. */
  | { outcome: 'forked'; why: string }
  /** Any other answer. Another try may succeed. */
  | { outcome: 'failed'; why: string }

/** Sends a checkpoint with its proof. Never throws. */
export async function askWitness(witness: Witness, request: AddCheckpoint): Promise<WitnessReply> {
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
