/** One request to a witness (C2SP tlog-witness v1.0.0), and what its answer means. */
import type { Witness } from '@/lib/kernel/tlog-witnesses'
import { type AddCheckpoint, formatAddCheckpoint } from './add-checkpoint'
import { parseSize } from './checkpoint'
import { openNote, parseNote, parseSignatureLine } from './note'

/** For connecting, headers and body together. */
const timeoutMs = 10_000
const answerBytesMax = 1024 * 1024

export type WitnessReply =
  /** The signature line, verified, without a newline. */
  | { outcome: 'cosigned'; line: string }
  /** The witness expects another old size. */
  | { outcome: 'recorded'; size: number }
  /** The witness has seen a tree that ours does not continue. */
  | { outcome: 'forked'; why: string }
  /** Anything else. Another try may succeed. */
  | { outcome: 'failed'; why: string }

/** Sends a checkpoint with its proof. Never rejects. */
export async function askWitness(witness: Witness, request: AddCheckpoint): Promise<WitnessReply> {
  try {
    const response = await fetch(`${witness.url}/add-checkpoint`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
      body: formatAddCheckpoint(request),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readText(response.body)
    const isSize = response.headers.get('content-type')?.split(';')[0]?.trim() === 'text/x.tlog.size'
    return judge(witness, request, { code: response.status, isSize, text })
  } catch (error) {
    return { outcome: 'failed', why: reasonOf(error) }
  }
}

interface Answer {
  code: number
  isSize: boolean
  text: string
}

function judge(witness: Witness, { oldSize, note }: AddCheckpoint, answer: Answer): WitnessReply {
  const { code, isSize, text } = answer
  if (code === 200) {
    const line = findCosignature(witness, note, text)
    return line === null
      ? { outcome: 'failed', why: 'the answer has no good cosignature of this witness' }
      : { outcome: 'cosigned', line }
  }
  const size = isSize ? parseSize(text.replace(/\n$/, '')) : null
  // A witness that expects the very size it was sent has another root for this size.
  if (code === 409 && size !== null && size !== oldSize) return { outcome: 'recorded', size }
  const why = `status ${code}: ${text.slice(0, 200)}`
  return { outcome: code === 409 || code === 422 ? 'forked' : 'failed', why }
}

/** The line of the witness in an answer, or null when there is none or a wrong one. Lines of other keys are ignored. */
function findCosignature({ key }: Witness, note: string, answer: string): string | null {
  const checkpoint = parseNote(note)
  for (const line of answer.split('\n')) {
    const parsed = parseSignatureLine(line)
    if (checkpoint === null || parsed?.name !== key.name || parsed.id !== key.id) continue
    return openNote({ ...checkpoint, signatures: [parsed] }, [key]) === null ? null : line
  }
  return null
}

/** The text of a body. Throws when it is longer than the limit. */
async function readText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > answerBytesMax) throw new Error(`the answer is longer than ${answerBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** `fetch` says only that it failed; its cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
