import { describe, expect, it } from 'vitest'
import { Failure } from '@/lib/kernel/request/failures'
import numbers from '@/packages/contract/numbers.json'
import { callOf } from './adapters'
import type { Call } from './call'
import { readJson, readQuery } from './input'

const limit = 64 * 1024

function aCall(body: BodyInit | null, headers: Record<string, string> = {}): Call {
  const request = new Request('http://localhost:3000/beak/signup', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
  return callOf(request)
}

/** Returns the name of the failure, and the first invalid field with its message. */
async function refusal(body: BodyInit | null, headers?: Record<string, string>) {
  try {
    await readJson(aCall(body, headers))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [error.failure, error.extras.errors?.[0]?.field, error.extras.errors?.[0]?.message]
  }
  throw new Error('was not refused')
}

/** Returns a JSON object of exactly that many bytes. */
function ofSize(bytes: number): string {
  return `{"a":"${'x'.repeat(bytes - 8)}"}`
}

/** Streams the text in chunks, without a Content-Length. `state` counts the chunks that were read. */
function chunked(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const state = { pulled: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const start = state.pulled++ * size
        if (start >= bytes.length) controller.close()
        else controller.enqueue(bytes.slice(start, start + size))
      },
      cancel() {
        state.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { state, stream }
}

describe('size', () => {
  it('accepts 64 KiB, with or without Content-Length', async () => {
    expect(await readJson(aCall(ofSize(limit)))).toMatchObject({ a: expect.any(String) })
    const { stream } = chunked(ofSize(limit), 1000)
    expect(await readJson(aCall(stream))).toMatchObject({ a: expect.any(String) })
  })

  // security: check-53
  it('rejects one byte more, with or without Content-Length', async () => {
    expect((await refusal(ofSize(limit + 1)))[0]).toBe('body_too_large')
    expect((await refusal('{}', { 'Content-Length': String(limit + 1) }))[0]).toBe('body_too_large')
    expect((await refusal(chunked(ofSize(limit + 1), 1000).stream))[0]).toBe('body_too_large')
  })

  // security: stranger-16
  it('stops reading a long body as soon as the limit is exceeded', async () => {
    const { state, stream } = chunked(ofSize(100 * limit), 1024)
    expect((await refusal(stream))[0]).toBe('body_too_large')
    expect(state.pulled).toBeLessThanOrEqual(67)
    expect(state.cancelled).toBe(true)
  })

  it('answers E4000 when the body ends early', async () => {
    const stream = new ReadableStream({
      pull: (controller) => controller.error(new Error('connection reset')),
    })
    expect((await refusal(stream))[0]).toBe('invalid_request')
  })
})

describe('media type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    "application/json ; charset = 'utf8' ",
    'application/json;',
    'application/json; odata.metadata=none; charset=UTF8',
  ])('accepts %s', async (type) => {
    expect(await readJson(aCall('{"a":1}', { 'Content-Type': type }))).toEqual({ a: 1 })
  })

  it('ignores one byte order mark before the object', async () => {
    expect(await readJson(aCall('\ufeff{"a":1}'))).toEqual({ a: 1 })
    expect(await readJson(aCall('\ufeff'))).toEqual({})
    expect(await refusal('\ufeff\ufeff{"a":1}')).toEqual(['invalid_request', 'body', 'must be JSON'])
    const sixteenBits = Buffer.from('\ufeff{"a":1}', 'utf16le')
    expect(await refusal(sixteenBits)).toEqual(['invalid_request', 'body', 'must be UTF-8'])
  })

  it('finds repeated keys and inexact numbers behind a byte order mark', async () => {
    expect(await refusal('\ufeff{"a":1,"a":2}')).toEqual(['invalid_request', 'a', 'is given twice'])
    expect((await refusal('\ufeff{"a":9007199254740993}'))[1]).toBe('a')
  })

  it.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; charset=utf-8, text/plain',
    'application/json; charset="utf-8',
    'application/json5',
    'application/jsonp',
    'application/json, text/plain',
    'text/json',
    '',
  ])('rejects "%s"', async (type) => {
    expect((await refusal('{"a":1}', { 'Content-Type': type }))[0]).toBe('unsupported_media_type')
  })

  // security: check-53
  it('rejects a compressed body without reading it', async () => {
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity'])
      expect((await refusal('{"a":1}', { 'Content-Encoding': encoding }))[0]).toBe('unsupported_media_type')
    expect(await readJson(aCall('{"a":1}', { 'Content-Encoding': 'identity' }))).toEqual({ a: 1 })
  })

  it('reads an empty body as an empty object, with any media type', async () => {
    expect(await readJson(aCall(null))).toEqual({})
    expect(await readJson(aCall(''))).toEqual({})
    expect(await readJson(aCall('', { 'Content-Type': 'text/plain' }))).toEqual({})
  })
})

describe('encoding', () => {
  it.each([
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
    ['a lone continuation byte', Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0x80, 0x22, 0x7d)],
    ['an overlong slash', Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc0, 0xaf, 0x22, 0x7d)],
    ['a surrogate in UTF-8', Uint8Array.of(0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d)],
  ])('rejects %s', async (_name, bytes) => {
    expect((await refusal(bytes))[0]).toBe('invalid_request')
  })
})

describe('JSON', () => {
  it.each([
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1}{"b":2}',
    '// {}',
    '{"a":01}',
    ' ',
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    '[{"a":1}]',
    'undefined',
  ])('rejects %s', async (text) => {
    expect((await refusal(text)).slice(0, 2)).toEqual(['invalid_request', 'body'])
  })

  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":{"c":1,"d":[{"e":1,"e":2}]}}', 'e'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a" : 1, "a"\n:\t2}', 'a'],
    ['{"":1,"":2}', ''],
  ])('rejects a duplicate key at any depth: %s', async (text, field) => {
    expect(await refusal(text)).toEqual(['invalid_request', field, 'is given twice'])
  })

  it('accepts equal keys in different objects, and values that look like keys', async () => {
    const text = '{"a":{"a":{"a":"a"}},"b":["a","a",{"a":1},{"a":2}],"c":"\\"a\\":1,\\"a\\":2","d":"}{"}'
    expect(await readJson(aCall(text))).toEqual(JSON.parse(text))
  })

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":{"b":[{"__proto__":1}]}}',
    '{"\\u005f_proto__":1}',
    '{"constructor":{"prototype":{"admin":true}}}',
  ])('rejects a key that could pollute prototypes: %s', async (text) => {
    expect((await refusal(text))[0]).toBe('invalid_request')
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })

  // security: check-51
  it('accepts 32 levels, and rejects deeper nesting without a crash', async () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(await readJson(aCall(nested(32)))).toBeTypeOf('object')
    for (const depth of [33, 1000, 10_000]) expect((await refusal(nested(depth)))[0]).toBe('invalid_request')
    const arrays = `{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`
    expect((await refusal(arrays))[0]).toBe('invalid_request')
  })

  it.each([
    ['{"a":"\\u0000"}', 'a'],
    ['{"a":["x","a\\u0000b"]}', 'a.1'],
    ['{"a":"\\ud800"}', 'a'],
    ['{"a":"\\udc00\\ud800"}', 'a'],
    ['{"a\\u0000":1}', 'body'],
    ['{"b":{"\\ud83d":1}}', 'b'],
  ])('rejects values that the database cannot store: %s', async (text, field) => {
    expect((await refusal(text)).slice(0, 2)).toEqual(['invalid_request', field])
  })

  it('accepts complete surrogate pairs, escaped or not', async () => {
    expect(await readJson(aCall('{"a":"\\ud83e\\udd86 🦆"}'))).toEqual({ a: '🦆 🦆' })
  })
})

describe('numbers', () => {
  const message = 'must be a string: JSON numbers do not keep so many digits'

  it.each(numbers)('$text: accepted $accepted', async ({ text, accepted }) => {
    const body = `{"a":[{"b":${text}}]}`
    if (accepted) expect(await readJson(aCall(body))).toEqual(JSON.parse(body))
    else expect(await refusal(body)).toEqual(['invalid_request', 'a.0.b', message])
  })

  it('names every number that does not arrive as it was sent, and leaves texts and names as they are', async () => {
    const body =
      '{"9007199254740993":1e3,"text":"9007199254740993","a":[1,-1e999,{"b\\u0063":12345678901234567890}],"c":0.10}'
    const refused = readJson(aCall(body))
    await expect(refused).rejects.toMatchObject({
      extras: {
        errors: [
          { field: 'a.1', message },
          { field: 'a.2.bc', message },
        ],
      },
    })
  })
})

describe('query parameters', () => {
  const query = (text: string) => readQuery(new URLSearchParams(text))
  const refused = (text: string) => {
    try {
      query(text)
    } catch (error) {
      if (error instanceof Failure) return error.extras.errors
      throw error
    }
    return null
  }

  it('are returned as strings', () => {
    expect(query('limit=20&tier=T1&empty=&flag')).toEqual({ limit: '20', tier: 'T1', empty: '', flag: '' })
  })

  it.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit=1&%6cimit=2', 'limit&limit='])(
    'are rejected when one is given twice: %s',
    (text) => {
      expect(refused(text)).toEqual([{ field: 'limit', message: 'is given twice' }])
    },
  )

  it('are rejected with every invalid parameter named', () => {
    expect(refused('a=1&a=2&__proto__=x&b=%00')?.map(({ field }) => field)).toEqual(['a', '__proto__', 'b'])
  })
})
