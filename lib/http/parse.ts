import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { guessName } from '@beak/decision/guess'
import type { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { type FailureName, type FieldError, fail, failureTable } from '@/lib/kernel/request/failures'
import { hasReader } from '@/lib/kernel/text/language'
import { listWithAnd } from '@/lib/kernel/text/list-words'

/**
 * Returns a sentence of the table for a rule of zod that has no text of its own, or undefined for a rule without a sentence. Programs then get
 * the text of zod, which says more about the form than a page needs.
 */
function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return m.field_is_required()
  switch (issue.code) {
    case 'invalid_type':
      return m.field_must_be_of_type({ type: issue.expected })
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value':
      return m.field_must_be_one_of({ values: issue.values.map(String).join(', ') })
    default:
      return undefined
  }
}

function tooSmall({
  origin,
  minimum,
  inclusive = true,
}: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = Number(minimum)
  if (origin === 'string') return m.field_must_have_at_least_characters({ count: least })
  if (origin === 'array' || origin === 'set') return m.field_must_have_at_least_entries({ count: least })
  return inclusive ? m.field_must_be_at_least_number({ least }) : m.field_must_be_more_than_number({ least })
}

function tooBig({ origin, maximum, inclusive = true }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = Number(maximum)
  if (origin === 'string') return m.field_must_have_at_most_characters({ count: most })
  if (origin === 'array' || origin === 'set') return m.field_must_have_at_most_entries({ count: most })
  return inclusive ? m.field_must_be_at_most_number({ most }) : m.field_must_be_less_than_number({ most })
}

/** Validates input against its schema and names each invalid field. */

/** Limits the size of the answer. */
const errorsMax = 20

/** Returns the parsed value. Throws `invalid_request` with a message for each invalid field. */
export function parse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  kind: 'field' | 'parameter',
): z.output<T> {
  const isForPerson = hasReader()
  const error = (issue: z.core.$ZodRawIssue) =>
    issueText(issue) ?? (isForPerson ? m.field_has_wrong_form() : undefined)
  const result = schema.safeParse(value, { error })
  if (result.success) return result.data
  const errors: FieldError[] = []
  for (const issue of result.error.issues) {
    const field = issue.path.map(String).join('.')
    if (issue.code !== 'unrecognized_keys')
      errors.push({
        field: field === '' ? 'body' : field,
        message: issue.message.replace(/^Invalid input: /, ''),
      })
    else
      for (const key of issue.keys.slice(0, errorsMax))
        errors.push(
          field === ''
            ? { field: key, message: unknownText(key, kind, schema) }
            : { field: `${field}.${key}`, message: `is not a known ${kind}` },
        )
    if (errors.length >= errorsMax) break
  }
  throw fail('invalid_request', { errors: errors.slice(0, errorsMax) })
}

/** Returns what is wrong with a name that the schema does not have, with the name that was probably meant, or else with all names. */
function unknownText(name: string, kind: string, schema: z.ZodType): string {
  const text = `is not a known ${kind}`
  const known = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const guess = guessName(name, known)
  if (guess !== null) return `${text}; did you mean ${guess}?`
  return known.length === 0 ? text : `${text}; known ${kind}s: ${listWithAnd(known)}`
}

/** Answers requests that are not valid HTTP with a problem document. No endpoint or page sees these requests. */

const titles = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
} as const

function bodyOf(status: keyof typeof titles): string {
  const { code, detail, action } = failureTable.malformed_http
  return JSON.stringify({
    type: 'about:blank',
    title: titles[status],
    status,
    code,
    reason: 'malformed_http' satisfies FailureName,
    success: false,
    detail,
    message: detail,
    action,
  })
}

/** Answers a request that Node could not parse, and closes the connection. */
export function answerParseError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = bodyOf(status)
  socket.end(
    `HTTP/1.1 ${status} ${titles[status]}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Whether the request has more than one Host header. Node uses the first one, a proxy may use another (RFC 9112, section 3.2). */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Answers a request that Node could parse but that is not valid, and closes the connection. */
export function refuseMalformed(response: ServerResponse): void {
  const body = bodyOf(400)
  response
    .writeHead(400, {
      'Content-Type': 'application/problem+json',
      'Content-Length': Buffer.byteLength(body),
      Connection: 'close',
    })
    .end(body)
}
