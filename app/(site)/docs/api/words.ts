/** What the pages of the reference and their Markdown versions say about an operation. */
import { type ErrorCode, errorCodes, type FailureName, failureTable } from '@/lib/kernel/failures'
import { m } from '@/lib/kernel/messages'
import type { ListedOperation, OpenapiDocument } from './reference'
import type { Schema } from './schema'

/** Returns who may call an operation, as the end of a sentence. */
export function callers(security: Record<string, unknown>[]): string {
  const has = (name: string) => security.some((way) => name in way)
  if (security.length === 0) return m.docs_api_called_by_anyone()
  if (security.some((way) => Object.keys(way).length === 0)) return m.docs_api_called_by_anyone_or_session()
  if (has('session'))
    return has('beakKey') ? m.docs_api_called_by_duckling_or_agent() : m.docs_api_called_by_duckling()
  return m.docs_api_called_by_agent()
}

/** Returns the media type and the schema of the response with status 200. */
export function responseOf({ operation }: ListedOperation): { media: string; schema: Schema } {
  const [[media, { schema }] = ['application/json', { schema: {} }]] = Object.entries(
    operation.responses['200']?.content ?? {},
  )
  return { media, schema }
}

interface ListedFailure {
  status: number
  code: ErrorCode
  /** Null for the codes that every operation with the same credential has. */
  reason: FailureName | null
  words: string
}

/**
 * Returns the failures of an operation by status, and after them the codes that every operation with the same credential has.
 */
export function failuresOf(
  operation: ListedOperation['operation'],
  responses: OpenapiDocument['components']['responses'],
): ListedFailure[] {
  const own = (operation['x-failures'] ?? []).map((name) => {
    const { code, detail } = failureTable[name]
    return { status: errorCodes[code].status, code, reason: name, words: detail }
  })
  const shared = ['4XX', '5XX'].flatMap((range) => {
    const name = operation.responses[range]?.$ref?.split('/').at(-1) ?? ''
    return [...(responses[name]?.description ?? '').matchAll(/E\d{4}/g)].map(([found]) => {
      const code = found as ErrorCode
      return { status: errorCodes[code].status, code, reason: null, words: errorCodes[code].title }
    })
  })
  return [...own.sort((left, right) => left.status - right.status), ...shared]
}
