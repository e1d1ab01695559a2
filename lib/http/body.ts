/**
 * Reads a request's body as a JSON object, and distrusts everything about it: size (also without Content-Length), media
 * type, encoding, duplicate and polluting keys, depth, numbers and strings the database cannot keep.
 */
import { type FieldError, fail } from '@/lib/kernel/failures'

const bytesMax = 64 * 1024
const depthMax = 32

/** The body's bytes. Throws `body_too_large` as soon as more than 64 KiB have arrived. */
async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw fail('body_too_large')
  if (request.body === null) return new Uint8Array()
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw refuse('broke off before its end')
    })
    if (done) break
    size += value.byteLength
    if (size > bytesMax) {
      void reader.cancel().catch(() => undefined)
      throw fail('body_too_large')
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

function refuse(message: string, field = 'body') {
  return fail('invalid_request', { errors: [{ field, message }] })
}

function checkMediaType(request: Request): void {
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  if (!/^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/.test(type))
    throw fail('media_type_unsupported')
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') throw fail('media_type_unsupported')
}

/** The request's JSON object; an empty body is `{}`. Throws E4000, E4011 or E4012. */
export async function readJson(request: Request): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request)
  if (bytes.byteLength === 0) return {}
  checkMediaType(request)
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refuse('must be UTF-8')
  }
  try {
    value = JSON.parse(text)
  } catch {
    throw refuse('must be JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refuse('must be a JSON object')
  checkKeys(text)
  checkValues(value, '')
  return value as Record<string, unknown>
}

/** The fields of a submitted form; a field given twice keeps its last value. Throws E4000 or E4011. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw refuse('must be application/x-www-form-urlencoded')
  const text = new TextDecoder().decode(await readBytes(request))
  return Object.fromEntries(new URLSearchParams(text))
}

const pollutingKeys = new Set(['__proto__', 'constructor'])

/** Refuses duplicate and polluting keys and deep nesting, which `JSON.parse` swallows. `text` is known to be valid JSON. */
function checkKeys(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (char === 0x7b || char === 0x5b) {
      open.push(char === 0x7b ? new Set() : null)
      if (open.length > depthMax) throw refuse(`must not be nested deeper than ${depthMax} levels`)
    } else if (char === 0x7d || char === 0x5d) {
      open.pop()
    } else if (char === 0x22) {
      const end = endOfString(text, index)
      const keys = open.at(-1)
      if (keys && isKey(text, end)) noteKey(keys, JSON.parse(text.slice(index, end + 1)) as string)
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

function noteKey(keys: Set<string>, key: string): void {
  if (keys.has(key)) throw refuse('is given twice', key)
  if (pollutingKeys.has(key)) throw refuse('is not a known field', key)
  keys.add(key)
}

function checkValues(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const message = textFault(value)
    if (message) throw refuse(message, path)
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw refuse('must be a number that fits in 64 bits', path)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`
      const message = textFault(key)
      if (message) throw refuse(`has a key that ${message}`, path || 'body')
      checkValues(item, place)
    }
  }
}

/** What PostgreSQL cannot store, or would store changed. */
function textFault(value: string): string | null {
  if (value.includes('\u0000')) return 'must not contain NUL characters'
  return value.isWellFormed() ? null : 'must not contain unpaired surrogates'
}

/** The query parameters as an object of strings. A parameter given twice is refused. */
export function readQuery(url: URL): Record<string, string> {
  const query: Record<string, string> = {}
  const errors: FieldError[] = []
  for (const [name, value] of url.searchParams) {
    if (pollutingKeys.has(name)) errors.push({ field: name, message: 'is not a known parameter' })
    else if (Object.hasOwn(query, name)) errors.push({ field: name, message: 'is given twice' })
    else {
      const message = textFault(value)
      if (message) errors.push({ field: name, message })
      query[name] = value
    }
  }
  if (errors.length > 0) throw fail('invalid_request', { errors })
  return query
}
