/** The JSON of large answers, made in slices (`lib/kernel/runtime/slices.ts`). */

import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import { isUnreachable } from '@/lib/db/conflict'
import { describeFailure } from '@/lib/db/full-disk'
import { config } from '@/lib/kernel/config'
import { fromConfig } from '@/lib/kernel/config/from-config'
import { errorCodes, Failure, fail, failureTable } from '@/lib/kernel/request/failures'
import { protectedResourceUrl, type ResourceName } from '@/lib/kernel/request/oauth-paths'
import { project } from '@/lib/kernel/request/projection'
import { machineOffset, readClock } from '@/lib/kernel/runtime/clock'
import { log } from '@/lib/kernel/runtime/log'
import { nextSlice, sliceWeight } from '@/lib/kernel/runtime/slices'
import { marked } from '@/lib/kernel/service/test-service'
import type { Answer } from './call'
import type { Definition } from './definition'

/** Projecting and writing a byte takes less time than computing what it shows. */
const weightOfByte = 1 / 8

interface Progress {
  weight: number
}

/** Returns what `JSON.stringify` makes of the projection of an answer, in a test service with its mark. Each item of its lists is made on its own. */
export async function jsonInSlices(schema: z.ZodType, value: unknown): Promise<string> {
  const text = (await textOf(schema, value, { weight: 0 })) ?? 'null'
  const mark = JSON.stringify(marked({})).slice(1)
  return mark === '}' ? text : `${text.slice(0, -1)},${mark}`
}

async function textOf(schema: z.ZodType, value: unknown, progress: Progress): Promise<string | undefined> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if (def.type === 'array' && Array.isArray(value)) {
    const items: string[] = []
    for (const item of value) {
      const text = JSON.stringify(project(def.element as z.ZodType, item)) ?? 'null'
      items.push(text)
      progress.weight += text.length * weightOfByte
      if (progress.weight <= sliceWeight) continue
      progress.weight = 0
      await nextSlice()
    }
    return `[${items.join()}]`
  }
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (def.type !== 'object' || def.catchall !== undefined || !isPlain)
    return JSON.stringify(project(schema, value))
  const members: string[] = []
  for (const [name, member] of Object.entries(def.shape)) {
    const text = await textOf(member as z.ZodType, (value as Record<string, unknown>)[name], progress)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join()}}`
}

/** Returns the header that makes browsers use https from now on. Empty when `BASE_URL` is not https. For the API and the pages. */
export function transportHeaders(): Record<string, string> {
  return config().baseUrl.startsWith('https:')
    ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }
    : {}
}

/** Answers: JSON on success, RFC 9457 problem documents otherwise, and the headers of every answer. */

/** Headers that scripts of any origin may read. */
const exposed =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, Allow, Deprecation, Sunset, Link, Idempotency-Replayed'

const constantHeaders = fromConfig(() => ({
  'Cache-Control': 'no-store',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposed,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  ...transportHeaders(),
}))

/**
 * Returns the headers of every answer, in a new object. The stages add their headers to this object: V8 needs 5 µs for each copy
 * that also gets new names.
 */
export function baseHeaders(requestId: string): Answer['headers'] {
  return { 'X-Request-Id': requestId, ...constantHeaders() }
}

/**
 * Answers 200 with what a handler returned, and adds to `headers`. JSON goes through the projection of the response schema, so only the
 * fields that it names are sent.
 */
export function succeed(definition: Definition, result: unknown, headers: Answer['headers']): Answer {
  const body =
    definition.media === undefined ? jsonOf(definition.response, result) : (result as Answer['body'])
  return withBody(definition, body, headers)
}

/** Does the same for a call that causes much work, whose answer can be large. */
export async function succeedInSlices(
  definition: Definition,
  result: unknown,
  headers: Answer['headers'],
): Promise<Answer> {
  return withBody(definition, await jsonInSlices(definition.response, result), headers)
}

function withBody(definition: Definition, body: Answer['body'], headers: Answer['headers']): Answer {
  const { media = 'application/json', responseHeaders } = definition
  Object.assign(headers, responseHeaders)
  headers['Content-Type'] = media
  return { status: 200, headers, body }
}

/** Returns the JSON of an answer, in a test service with its mark. A receipt has the mark in its signature, and no other member. */
function jsonOf(response: z.ZodType, result: unknown): string {
  const answer = project(response, result) as object
  return JSON.stringify('jws' in answer ? answer : marked(answer))
}

/**
 * Returns a thrown value as a `Failure`. Other errors become `unavailable` (the database cannot be reached) or `internal_error`.
 * Their cause is logged and not sent to the client.
 */
export function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error
  const failure = isUnreachable(error) ? fail('unavailable', { retry_after: 5 }) : fail('internal_error')
  log().error(
    { request_id: requestId, failure: failure.failure, error: describeFailure(error) },
    'request failed',
  )
  return failure
}

/** Answers with the problem document of a failure, and adds to `headers`. */
export function problem(failure: Failure, requestId: string, headers: Answer['headers']): Answer {
  const { code, ...texts } = failureTable[failure.failure]
  const { status, title } = errorCodes[code]
  const { detail = texts.detail, action = texts.action, ...extras } = failure.extras
  const { retry_after } = extras
  const body = {
    type: `${config().baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail,
    code,
    reason: failure.failure,
    message: detail,
    success: false,
    request_id: requestId,
    action,
    ...extras,
  }
  headers['Content-Type'] = 'application/problem+json'
  if (status === 401) headers['WWW-Authenticate'] = challenge(failure)
  if (retry_after !== undefined) headers['Retry-After'] = String(retry_after)
  return { status, headers, body: JSON.stringify(body) }
}

/** Says in a refusal with 401 where programs learn how to get a token (RFC 9728, section 5.1). */
export function hintAt(resource: ResourceName, headers: Answer['headers']): void {
  headers['WWW-Authenticate'] += `, resource_metadata="${protectedResourceUrl(resource)}"`
}

/** RFC 6750, section 3. */
function challenge(failure: Failure): string {
  return failure.failure === 'session_invalid' || failure.failure === 'beak_key_invalid'
    ? 'Bearer realm="beak", error="invalid_token"'
    : 'Bearer realm="beak"'
}

/** The header `Date` of answers. */

/** A smaller difference does not show in a header with whole seconds. */
const shownSeconds = 1

/** Sets `Date` when the clock of this machine is wrong. Node would send that clock, and caches compute the age of an answer from it. */
export function correctDate(response: ServerResponse): void {
  if (Math.abs(machineOffset()) >= shownSeconds) response.setHeader('Date', readClock().toUTCString())
}
