/**
 * Reads and validates the input of a call. The body must be a JSON object of at most 64 KiB. Media type, encoding, duplicate and
 * polluting keys, depth, numbers, and strings that the database cannot store are checked.
 */
import { isUtf8 } from 'node:buffer'
import { inexactNumbersIn } from '@beak/proofs/exact-numbers'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'
import { Failure, type FieldError, fail } from '@/lib/kernel/request/failures'
import type { Call } from './call'
import { type Definition, type Input, takesBody } from './definition'
import { parse } from './parse'

const bytesMax = 64 * 1024
const depthMax = 32

export const emptyObject = z.strictObject({})

/** Returns the validated input of an endpoint: at once when the method takes no body. Throws E4000, E4011 or E4012. */
export function readInput(
  definition: Definition,
  call: Call,
  parameter: string,
): Input<unknown, unknown> | Promise<Input<unknown, unknown>> {
  const given = readQuery(call.query)
  // A credential, which authentication has read.
  if (definition.auth !== 'none') delete given.beak_key
  const query = parse(definition.query ?? emptyObject, given, 'parameter')
  if (!takesBody(call.method)) return new CallInput(call, query, {}, parameter)
  return readJson(call).then(
    (json) => new CallInput(call, query, parse(definition.body ?? emptyObject, json, 'field'), parameter),
  )
}

/** Makes the signal only for the few endpoints that wait. A getter of a class costs nothing, one of a plain object 0.4 µs. */
class CallInput implements Input<unknown, unknown> {
  readonly header: Input<unknown, unknown>['header']
  readonly #call: Call

  constructor(
    call: Call,
    readonly query: unknown,
    readonly body: unknown,
    readonly parameter: string,
  ) {
    this.header = (name) => call.headers[name] ?? null
    this.#call = call
  }

  get signal(): AbortSignal {
    return this.#call.signal
  }
}

type WithBody = Pick<Call, 'headers' | 'body'>

/** Returns the bytes of the body. Throws `body_too_large` as soon as more than 64 KiB have arrived. */
async function readBytes(call: WithBody): Promise<Buffer> {
  if (Number(call.headers['content-length'] ?? 0) > bytesMax) throw fail('body_too_large')
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of call.body()) {
      size += chunk.byteLength
      if (size > bytesMax) throw fail('body_too_large')
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Failure ? error : invalid('ended before it was complete')
  }
  return Buffer.concat(chunks)
}

function invalid(message: string, field = 'body') {
  return fail('invalid_request', { errors: [{ field, message }] })
}

/** Whether a parameter of a media type names no other encoding. JSON has no parameters of its own (RFC 8259, section 11). */
const isForUtf8 = (parameter: string) =>
  !/^\s*charset\s*=/.test(parameter) || /^\s*charset\s*=\s*(["']?)utf-?8\1\s*$/.test(parameter)

function checkMediaType(headers: Call['headers']): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json' || !parameters.every(isForUtf8)) throw fail('unsupported_media_type')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity')
    throw fail('unsupported_media_type')
}

/** Returns the JSON object in the body; `{}` for an empty body. Throws E4000, E4011 or E4012. */
export async function readJson(call: WithBody): Promise<Record<string, unknown>> {
  const { value, errors } = await readRoundedJson(call)
  if (errors.length > 0) throw fail('invalid_request', { errors })
  return value
}

/**
 * Returns the JSON object in the body as `readJson` does, and an error for each number that `JSON.parse` rounded. Nobody may act on the object
 * then: it is only to answer the call.
 */
export async function readRoundedJson(
  call: WithBody,
): Promise<{ value: Record<string, unknown>; errors: FieldError[] }> {
  const bytes = await readBytes(call)
  if (bytes.byteLength === 0) return { value: {}, errors: [] }
  checkMediaType(call.headers)
  if (!isUtf8(bytes)) throw invalid('must be UTF-8')
  // Some programs put a byte order mark before JSON. RFC 8259, section 8.1, lets a reader ignore it.
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (text === '') return { value: {}, errors: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid('must be JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('must be a JSON object')
  checkKeys(text)
  checkValues(value, '')
  const message = m.field_number_must_be_string()
  const errors = inexactNumbersIn(text).map((field) => ({ field, message }))
  return { value: value as Record<string, unknown>, errors }
}

/** Returns the fields of a submitted form. The last value of a repeated field wins. Throws E4000 or E4011. */
export async function readForm(call: WithBody): Promise<Record<string, string>> {
  const type = call.headers['content-type'] ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw invalid('must be application/x-www-form-urlencoded')
  const text = new TextDecoder().decode(await readBytes(call))
  return Object.fromEntries(new URLSearchParams(text))
}

const pollutingKeys = new Set(['__proto__', 'constructor'])

/** Rejects duplicate and polluting keys and deep nesting, which `JSON.parse` accepts. `text` must be valid JSON. */
function checkKeys(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === 0x7b || char === 0x5b) {
      open.push(char === 0x7b ? new Set() : null)
      if (open.length > depthMax) throw invalid(`must not be nested deeper than ${depthMax} levels`)
    } else if (char === 0x7d || char === 0x5d) {
      open.pop()
    } else if (char === 0x22) {
      const end = endOfString(text, index)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) addKey(keys, JSON.parse(text.slice(index, end + 1)) as string)
      index = end
    }
  }
}

function endOfString(text: string, start: number): number {
  let index = start + 1
  while (text.charCodeAt(index) !== 0x22) index += text.charCodeAt(index) === 0x5c ? 2 : 1
  return index
}

/** Whether the string that ends at `end` is followed by a colon. */
function isKey(text: string, end: number): boolean {
  let index = end + 1
  while (' \t\n\r'.includes(text.charAt(index))) index++
  return text.charAt(index) === ':'
}

function addKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw invalid('is given twice', key)
  if (pollutingKeys.has(key)) throw invalid('is not a known field', key)
  keys.add(key)
}

function checkValues(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const message = storageFault(value)
    if (message) throw invalid(message, path)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`
      const message = storageFault(key)
      if (message) throw invalid(`has a key that ${message}`, path || 'body')
      checkValues(item, place)
    }
  }
}

/** Returns why PostgreSQL cannot store the text unchanged, or null when it can. */
function storageFault(value: string): string | null {
  if (value.includes('\u0000')) return 'must not contain NUL characters'
  return value.isWellFormed() ? null : 'must not contain unpaired surrogates'
}

/** Returns the query parameters as an object of strings. Rejects a repeated parameter. */
export function readQuery(parameters: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {}
  const errors: FieldError[] = []
  for (const [name, value] of parameters) {
    if (pollutingKeys.has(name)) errors.push({ field: name, message: 'is not a known parameter' })
    else if (Object.hasOwn(query, name)) errors.push({ field: name, message: 'is given twice' })
    else {
      const message = storageFault(value)
      if (message) errors.push({ field: name, message })
      query[name] = value
    }
  }
  if (errors.length > 0) throw fail('invalid_request', { errors })
  return query
}
