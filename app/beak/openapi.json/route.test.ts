import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectralCore from '@stoplight/spectral-core'
import rulesets from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'

// Both are CommonJS, whose names Node does not find.
const { Spectral } = spectralCore
const { oas } = rulesets

describe('200', () => {
  it('returns a valid OpenAPI 3.1 document with every endpoint below /beak and /.well-known', async () => {
    const { body } = await call('GET /beak/openapi.json')
    const result = await new Validator().validate(body)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
    expect(Object.keys(body.paths).filter((path) => !/^\/(beak|\.well-known)(\/|$)/.test(path))).toEqual([])
    const listed = Object.entries(table).filter(([path]) => !['/healthz', '/readyz'].includes(path))
    for (const [path, route] of listed) {
      for (const method of Object.keys(route).filter((name) => ['GET', 'POST', 'PUT'].includes(name))) {
        expect(body.paths[path], `${method} ${path}`).toHaveProperty(method.toLowerCase())
      }
    }
  })

  it('gives every operation a unique id', async () => {
    const { body } = await call('GET /beak/openapi.json')
    const ids = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((entry) =>
      Object.values(entry).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the document', () => {
  const read = async () => (await call('GET /beak/openapi.json')).body as { servers: { url: string }[] }

  it("keeps Redocly's recommended rules", async () => {
    const document = { ...(await read()), servers: [{ url: 'https://beak.pond' }] }
    const problems = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({ extends: ['recommended'] }),
    })
    const found = problems.map(({ ruleId, location }) => ({ ruleId, place: location[0]?.pointer ?? '' }))
    expect(found).toEqual([])
  })

  it('keeps the rules of spectral:oas', async () => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [[oas, 'recommended']] } as never)
    const problems = await spectral.run({ ...(await read()) })
    const found = problems.map(({ code, path }) => ({ rule: String(code), place: path.join('/') }))
    expect(found).toEqual([])
  })

  it('names media types without parameters', async () => {
    const media = new Set(
      [...JSON.stringify(await read()).matchAll(/"content":\{"([^"]+)"/g)].map(([, type]) => type),
    )
    expect([...media].sort()).toEqual([
      'application/json',
      'application/octet-stream',
      'application/problem+json',
      'application/vc+jwt',
      'text/event-stream',
      'text/plain',
    ])
  })
})
