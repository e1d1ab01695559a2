/** Sends hostile input to every endpoint of the table. The answer is always JSON, never a 5xx, and the documented refusal. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { arbitraryBody, brokenBodies, wrongValues } from '@/lib/fixtures/json-fuzz'
import type { Definition } from '@/lib/http/definition'
import { type Answer, type CallOptions, call, callRaw } from './call'
import { methods } from './serve'
import { table } from './table'

interface Target {
  line: string
  definition: Definition
  fields: string[]
  parameters: string[]
}

const keysOf = (schema: z.ZodType | undefined): string[] =>
  schema
    ? Object.keys(
        (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as { properties?: object })
          .properties ?? {},
      )
    : []

const targets: Target[] = Object.entries(table).flatMap(([path, route]) =>
  methods.flatMap((method) => {
    const definition = route[method]?.definition
    return definition && !definition.media
      ? [
          {
            line: `${method} ${path.replace('{n}', '0')}`,
            definition,
            fields: keysOf(definition.body),
            parameters: keysOf(definition.query),
          },
        ]
      : []
  }),
)
const writing = targets.filter(({ line }) => !line.startsWith('GET'))

let session = ''
let key = ''

/** Returns a credential that the endpoint accepts, so that it validates the input. */
function credentials({ definition }: Target): CallOptions {
  if (definition.auth === 'none' || definition.auth === 'optional') return {}
  return definition.auth === 'beak-key' || definition.auth === 'bonded-key' ? { key } : { token: session }
}

function expectWellFormed(answer: Answer, about: string): void {
  expect(answer.status, about).toBeLessThan(500)
  expect(answer.headers.get('content-type'), about).toMatch(/^application\/(problem\+)?json$/)
  if (answer.status >= 400)
    expect(answer.body, about).toMatchObject({
      success: false,
      code: expect.stringMatching(/^E4\d{3}$/),
      action: expect.any(String),
    })
  expect(JSON.stringify(answer.body), about).not.toMatch(/prisma|node_modules|at \w+ \(|SELECT |INSERT /i)
}

beforeAll(async () => {
  const duckling = await aDuckling()
  session = duckling.token
  key = (await anAgent(duckling)).beakKey
  // With the usual limit the account's bucket would be empty before the end of the tests.
  const { db } = await import('@/lib/db/client')
  await db().duckling.update({
    where: { id: duckling.id },
    data: { limitRate: 1_000_000, limitBurst: 1_000_000 },
  })
})

/** These calls could end the credentials that the other tests need. */
const ending = [
  '/beak/signout',
  '/beak/account/delete',
  '/beak/session/revoke',
  '/beak/agent/suspend',
  '/beak/agent/deregister',
]

describe.each(writing)('$line', (target) => {
  // security: check-34, check-54
  it.each(brokenBodies)('refuses $name', async ({ text, status }) => {
    const answer = await call(target.line, { ...credentials(target), raw: text })
    expectWellFormed(answer, text.slice(0, 80))
    // A tier, a state or a missing proof may be refused before the body is read.
    if (![403, 409].includes(answer.status)) expect(answer.status).toBe(status)
  })

  it('refuses a number that JSON does not keep, and names it', async () => {
    const answer = await call(target.line, { ...credentials(target), raw: '{"zzz":[9007199254740993]}' })
    const message = 'must be a string: JSON numbers do not keep so many digits'
    if (![403, 409].includes(answer.status))
      expect(answer.body).toMatchObject({ code: 'E4000', errors: [{ field: 'zzz.0', message }] })
  })

  // security: check-52
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'text/html',
  ])('refuses a body of type %s', async (type) => {
    const answer = await call(target.line, {
      ...credentials(target),
      raw: '{}',
      headers: { 'Content-Type': type },
    })
    expectWellFormed(answer, type)
    if (answer.status !== 403) expect([answer.status, answer.body.code]).toEqual([415, 'E4012'])
  })

  // security: check-50
  it('handles every wrong type in every field', async () => {
    for (const field of target.fields) {
      for (const value of wrongValues) {
        if (ending.some((path) => target.line.endsWith(path))) continue
        expectWellFormed(
          await call(target.line, { ...credentials(target), body: { [field]: value } }),
          `${field}: ${JSON.stringify(value)?.slice(0, 60)}`,
        )
      }
    }
  })

  // security: stranger-16
  it('handles arbitrary objects', async () => {
    if (target.fields.length === 0 || ending.some((path) => target.line.endsWith(path))) return
    await fc.assert(
      fc.asyncProperty(arbitraryBody(target.fields), async (body) => {
        expectWellFormed(await call(target.line, { ...credentials(target), body }), JSON.stringify(body))
      }),
      { numRuns: 15 },
    )
  })
})

describe.each(targets)('$line', (target) => {
  // security: check-55
  it('refuses unknown and repeated query parameters', async () => {
    for (const query of ['zzz=1', 'limit=1&limit=2', '__proto__=1', '%00=1', 'zzz=%00', 'zzz=%ff']) {
      if (target.parameters.length > 0 && query === 'limit=1') continue
      const answer = await call(`${target.line}?${query}`, credentials(target))
      expectWellFormed(answer, query)
      if (![403, 409].includes(answer.status)) expect(answer.status, query).toBe(400)
    }
  })

  // security: check-55
  it('handles every odd value of every parameter', async () => {
    const odd = [
      '',
      '0',
      '-1',
      '1.5',
      '1e9',
      '0x10',
      'abc',
      '99999999999999999999',
      ' 1',
      '%00',
      '%F0%9F%98%80',
      'a'.repeat(3000),
      '%27%20OR%201=1',
      'null',
      '[]',
    ]
    for (const parameter of target.parameters) {
      // The peck does not exist, so no long poll waits here.
      for (const value of odd)
        expectWellFormed(
          await call(`${target.line}?${parameter}=${value}`, credentials(target)),
          `${parameter}=${value.slice(0, 40)}`,
        )
    }
  })

  it('answers without a credential as declared, and ignores cookies', async () => {
    const answer = await call(target.line, {
      headers: { Cookie: `session=${session}; next-auth.session-token=${session}` },
      ...(target.line.startsWith('GET') ? {} : { body: {} }),
    })
    expectWellFormed(answer, target.line)
    const open = target.definition.auth === 'none' || target.definition.auth === 'optional'
    if (!open) expect(answer.status).toBe(401)
    else expect(answer.status).not.toBe(401)
  })
})

describe('a hostile path', () => {
  it.each([
    '/beak/%00',
    '/beak/..%2f..%2fetc',
    '/beak/constructor',
    '/beak/__proto__',
    '/beak/toString',
    `/beak/${'a'.repeat(4000)}`,
    '/beak//signup',
    '/beak/signup/extra',
    '/beak/%ff',
  ])('gets a 404 as JSON: %s', async (path) => {
    const response = await callRaw(`GET ${path}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(((await response.json()) as { code: string }).code).toBe('E4005')
  })

  // security: stranger-16, check-51
  it('does not change Object.prototype', () => {
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})
