/** Tests on the real document: the reference must show what the service accepts and returns. */
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { findPath, type Method } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { paramsHash } from '@/lib/domain/pecks/params'
import { openapiDocument } from '@/lib/http/openapi'
import { answerOf, bodyOf, curlOf, inputOf } from './example'
import { anchorOf, groupsOf, type OpenapiDocument } from './reference'
import { fieldsOf, notesOf, typeOf } from './schema'

const document = openapiDocument(table, 'test') as unknown as OpenapiDocument
const { schemas } = document.components
const operations = groupsOf(document).flatMap(({ operations: all }) => all)
const cases = operations.map((listed) => [`${listed.method} ${listed.path}`, listed] as const)

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats(ajv)

/** Returns why a value does not match a schema of the document, or null when it does. */
function faultOf(schema: object, value: unknown): string | null {
  const text = JSON.stringify({ ...schema, $defs: schemas }).replaceAll('#/components/schemas/', '#/$defs/')
  const validate = ajv.compile(JSON.parse(text))
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

describe('groupsOf', () => {
  it('lists every operation of the document once', () => {
    const listed = operations.map(({ method, path }) => `${method} ${path}`).sort()
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed).toEqual(described.sort())
  })

  it('has no empty group, and puts only platform operations into the last one', () => {
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
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/{path}',
        '/beak',
        '/beak/metrics',
        '/beak/metrics/history',
        '/beak/newsletter/confirm',
        '/beak/newsletter/subscribe',
        '/beak/newsletter/unsubscribe',
        '/beak/openapi.json',
        '/beak/pageview',
        '/beak/support/contact',
        '/beak/system/history',
        '/beak/system/status',
      ].sort(),
    )
  })

  it('gives each operation its own anchor', () => {
    expect(anchorOf('post', '/beak/peck/request')).toBe('post-beak-peck-request')
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  })
})

describe('the examples', () => {
  it.each(cases)('have a request body that the service accepts: %s', (_, listed) => {
    const schema = listed.operation.requestBody?.content?.['application/json']?.schema
    const body = bodyOf(listed, schemas)
    if (schema !== undefined) expect(faultOf(schema, body ?? {})).toBeNull()
  })

  it.each(cases)('have a request that the rules of the endpoint accept: %s', (_, listed) => {
    const { method, path } = listed
    const definition =
      table[findPath(table, path.replace(/\/$/, ''))?.key ?? '']?.[method as Method]?.definition
    expect(definition).toBeDefined()
    const fault = (schema: z.ZodType | undefined, value: unknown) => schema?.safeParse(value).error?.issues
    expect(fault(definition?.body, bodyOf(listed, schemas) ?? {})).toBeUndefined()
    if (method === 'GET') expect(fault(definition?.query, inputOf(listed, schemas))).toBeUndefined()
  })

  it.each(cases)('have a response that matches its schema: %s', (_, listed) => {
    const schema = listed.operation.responses['200']?.content?.['application/json']?.schema
    if (schema !== undefined) expect(faultOf(schema, answerOf(listed, schema, schemas))).toBeNull()
  })

  /** Returns the example of an answer with the name of its operation. As JSON, so without members that are undefined. */
  const answers = operations.flatMap((listed) => {
    const schema = listed.operation.responses['200']?.content?.['application/json']?.schema
    if (schema === undefined) return []
    const answer: Record<string, unknown> = JSON.parse(JSON.stringify(answerOf(listed, schema, schemas)))
    const [first] = Array.isArray(answer.items) ? answer.items : []
    return [{ name: listed.operation.operationId, answer: (first ?? answer) as Record<string, unknown> }]
  })

  it('show pecks in states that are possible, and each operation the state that it leaves', () => {
    const pecks = answers.filter(({ answer }) => 'params_hash' in answer)
    const statuses = Object.fromEntries(pecks.map(({ name, answer }) => [name, answer.status]))
    expect(statuses).toEqual({
      requestPeck: 'pending',
      sendTestRequest: 'pending',
      listPecks: 'pending',
      approvePeck: 'approved',
      getPeck: 'approved',
      revokeGrant: 'approved',
      rejectPeck: 'rejected',
      undoDecision: 'pending',
      snoozePeck: 'pending',
      cancelPeck: 'cancelled',
    })
    for (const { name, answer } of pecks)
      expect({
        name,
        isDecided: answer.decided_at !== null,
        hasGrant: answer.grant_status !== null,
        hasReason: answer.reason !== null,
        hasToken: 'grant_token' in answer,
        isOwn: answer.target_duckling_id === (answer.requester as { duckling_id: string }).duckling_id,
      }).toEqual({
        name,
        isDecided: answer.status !== 'pending',
        hasGrant: answer.status === 'approved',
        hasReason: answer.status === 'rejected',
        hasToken: name === 'getPeck',
        isOwn: name === 'sendTestRequest',
      })
  })

  it('show certificates, agents and webhooks in states that are possible', () => {
    for (const { name, answer } of answers) {
      if ('revoked_at' in answer)
        expect([name, answer.revoked_at === null]).toEqual([name, answer.status === 'active'])
      if ('bonded_at' in answer)
        expect([name, answer.bonded_at === null]).toEqual([name, answer.status === 'registered'])
      if ('disabled_reason' in answer)
        expect([name, answer.disabled_reason === null]).toEqual([name, answer.enabled])
    }
  })

  it('have the hash of the parameters that they show', () => {
    const peck = answers.find(({ name }) => name === 'requestPeck')?.answer
    expect(peck?.params_hash).toBe(paramsHash(peck?.params as Record<string, string>))
  })

  it('have a curl command with the method, credential, query and body that the operation needs', () => {
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
  it('is described in words', () => {
    const type = (schema: object) => typeOf(schema, schemas)
    expect(type({ type: ['string', 'null'] })).toBe('text or null')
    expect(type({ anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] })).toBe('time or null')
    expect(type({ type: 'array', items: { $ref: '#/components/schemas/Peck' } })).toBe('list of Peck')
    expect(type({ enum: ['a', 'b'] })).toBe('"a" · "b"')
    expect(notesOf({ type: 'integer', minimum: 60, maximum: 120 })).toEqual(['60–120'])
    expect(notesOf({ type: 'integer', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 })).toEqual([])
    expect(notesOf({ type: 'string', minLength: 1, maxLength: 5, default: 'a' })).toEqual([
      '1–5 characters',
      'default "a"',
    ])
  })

  it('lists nested fields by their path', () => {
    const history = document.paths['/beak/peck/history']?.get?.responses['200']?.content?.['application/json']
    const names = fieldsOf(history?.schema ?? {}, schemas).map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['items', 'items[].peck_id', 'items[].requester.display_name', 'next_cursor']),
    )
  })
})
