/**
 * `Idempotency-Key` (contract A, Repeated requests; IETF draft-ietf-httpapi-idempotency-key-header). The first call with a key claims its row.
 * The transaction of its command also stores the answer in that row: either both are there afterwards, or none. A call that has lost its
 * claim cannot commit.
 */
import type { Tx } from '@/lib/db/client'
import { concluding } from '@/lib/db/transaction'
import { errorCodes, Failure, fail, failureTable } from '@/lib/kernel/failures'
import { problem, succeed } from './answer'
import type { Answer, Call, CallContext } from './call'
import { claimKey, releaseClaim, storeAnswer } from './claims'
import type { Definition, Input } from './definition'

/** A quoted string of RFC 9651, section 3.3.3, without spaces. */
const quoted = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** Returns the key of a call, or null without the header. Throws `invalid_request`. */
export function readIdempotencyKey(headers: Call['headers']): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const key = given.startsWith('"') ? quoted.exec(given)?.[1]?.replace(/\\(.)/g, '$1') : given
  if (key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key)) return key
  const message = 'must be 1 to 255 visible ASCII characters, bare or as a quoted string'
  throw fail('invalid_request', { errors: [{ field: 'Idempotency-Key', message }] })
}

/**
 * Returns the answer to a result that a transaction is about to commit, or null when it must not be stored: a failure that passes with time,
 * or the result of a step before the last one.
 */
function answerTo(definition: Definition, result: unknown, { requestId }: CallContext): Answer | null {
  if (result instanceof Failure) {
    const { status } = errorCodes[failureTable[result.failure].code]
    return status === 429 || status >= 500 ? null : problem(result, requestId, {})
  }
  return definition.response.safeParse(result).success ? succeed(definition, result, {}) : null
}

/**
 * Answers a call with a key. The first call runs the handler. Its answer is stored if it has changed something: a success, or a refusal that
 * was committed, such as a wrong code that counts. Later calls get that answer. A call that has changed nothing releases the key.
 */
export async function answerOnce(
  definition: Definition,
  key: string,
  context: CallContext,
  input: Input<unknown, unknown>,
  headers: Answer['headers'],
): Promise<Answer> {
  const claim = await claimKey(definition, key, context, input.body)
  if ('status' in claim) {
    if (claim.status === 200) await definition.checkReplay?.(context as never, input)
    Object.assign(headers, claim.headers, { 'Idempotency-Replayed': 'true' })
    return { ...claim, headers }
  }
  const stored: { result: unknown; answer: Answer | null } = { result: null, answer: null }
  const conclude = (tx: Tx, result: unknown) => {
    const answer = answerTo(definition, result, context)
    if (answer !== null) storeAnswer(tx, claim, answer, context.now)
    Object.assign(stored, { result, answer })
  }
  try {
    const result = await concluding(conclude, () => definition.handle(context as never, input))
    if (stored.answer === null || stored.result !== result)
      throw new Error(`${definition.operationId} must return the result of its last transaction`)
    Object.assign(headers, stored.answer.headers)
    return { ...stored.answer, headers }
  } catch (error) {
    await releaseClaim(claim, context)
    throw error
  }
}
