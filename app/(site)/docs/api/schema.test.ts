/** Over the real document: what the reference shows must be what the service takes and gives. */
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import { bodyOf, curlOf, exampleOf } from './example'
import { anchorOf, groupsOf, type OpenapiDocument } from './reference'
import { fieldsOf, notesOf, typeOf } from './schema'

const document = openapiDocument(table, 'test') as unknown as OpenapiDocument
const { schemas } = document.components
const operations = groupsOf(document).flatMap(({ operations: all }) => all)
const cases = operations.map((listed) => [`${listed.method} ${listed.path}`, listed] as const)

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats(ajv)

/** What is wrong with a value by a schema of the document; null when nothing is. */
function faultOf(schema: object, value: unknown): string | null {
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  const validate = ajv.compile(JSON.parse(text))
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

describe('the groups', () => {
  it('hold every operation of the document once', () => {
    const listed = operations.map(({ method, path }) => `${method} ${path}`).sort()
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed).toEqual(described.sort())
  })

  it('leave none empty, and only the platform takes what is left', () => {
    const groups = groupsOf(document)
    expect(groups.filter((group) => group.operations.length === 0)).toEqual([])
    expect(
      groups
        .at(-1)
        ?.operations.map(({ path }) => path)
        .sort(),
    ).toEqual(
      [
        '/.well-known/jwks.json',
        '/beak/',
        '/beak/metrics',
        '/beak/newsletter/confirm',
        '/beak/newsletter/subscribe',
        '/beak/newsletter/unsubscribe',
        '/beak/openapi.json',
        '/beak/pageview',
        '/beak/support/contact',
        '/beak/system/status',
      ].sort(),
    )
  })

  it('give each operation an anchor of its own', () => {
    expect(anchorOf('post', '/beak/peck/request')).toBe('post-beak-peck-request')
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })
})

describe('an example', () => {
  it.each(cases)('of the body of %s is one the service takes', (_, listed) => {
    const schema = listed.operation.requestBody?.content?.['application/json']?.schema
    const body = bodyOf(listed, schemas)
    if (schema !== undefined) expect(faultOf(schema, body ?? {})).toBeNull()
  })

  it.each(cases)('of the answer of %s is one it could give', (_, listed) => {
    const schema = listed.operation.responses['200']?.content?.['application/json']?.schema
    if (schema !== undefined) expect(faultOf(schema, exampleOf(schema, schemas))).toBeNull()
  })

  it('of a call names method, credential, query and body as they are needed', () => {
    const curl = (line: string) => {
      const listed = operations.find(({ method, path }) => `${method} ${path}` === line)
      return listed ? curlOf(listed, schemas, 'https://beak.example') : ''
    }
    expect(curl('GET /beak/cert/verify')).toBe(
      "curl 'https://beak.example/beak/cert/verify?cert_id=CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX'",
    )
    expect(curl('POST /beak/signout')).toBe(
      `curl 'https://beak.example/beak/signout' \\\n  -X POST \\\n  -H "Authorization: Bearer $TOKEN"`,
    )
    expect(curl('POST /beak/agent/bond')).toContain('-H "X-Beak-Key: $BEAK_KEY"')
    expect(curl('PUT /beak/trust/elevate')).toContain('-X PUT')
  })
})

describe('a schema', () => {
  it('is told in words', () => {
    const type = (schema: object) => typeOf(schema, schemas)
    expect(type({ type: ['string', 'null'] })).toBe('text or null')
    expect(type({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] })).toBe('time or null')
    expect(type({ type: 'array', items: { $ref: '#/components/schemas/Peck' } })).toBe('list of Peck')
    expect(type({ enum: ['a', 'b'] })).toBe('"a" · "b"')
    expect(notesOf({ type: 'integer', minimum: 60, maximum: 120 })).toEqual(['60–120'])
    expect(notesOf({ type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 })).toEqual([])
    expect(notesOf({ type: 'string', minLength: 1, maxLength: 5, default: 'a' })).toEqual([
      '1–5 characters',
      '"a" unless given',
    ])
  })

  it('lists the fields within fields by their way there', () => {
    const history = document.paths['/beak/peck/history']?.get?.responses['200']?.content?.['application/json']
    const names = fieldsOf(history?.schema ?? {}, schemas).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['items', 'items[].peck_id', 'items[].requester.display_name', 'next_cursor']),
    )
  })
})
