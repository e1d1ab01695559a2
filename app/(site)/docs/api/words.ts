/** What the pages of the reference and their Markdown versions say about an operation. */

import { m } from '@/lib/kernel/messages'
import { type ErrorCode, errorCodes, type FailureName, failureTable } from '@/lib/kernel/request/failures'
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

/** The names that the clients and the command line give to an operation. */

/** Returns `request_peck` for `requestPeck`, as the generator of the Python client does (packages/client-python/backend/beak_build/names.py). */
const snakeCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()

/** Returns the names of the method for an operation in both clients. */
export function methodNames(operationId: string): { ts: string; python: string } {
  return { ts: operationId, python: snakeCase(operationId) }
}

/** Returns how an operation is called with each client, for readers who look for its name. */
export function methodLines(operationId: string): { title: string; text: string }[] {
  const { ts, python } = methodNames(operationId)
  return [
    { title: 'TypeScript', text: `beak.${ts}(…)` },
    { title: 'Python', text: `beak.${python}(…)` },
    { title: m.docs_api_command_line(), text: `beak api ${operationId}` },
  ]
}
