import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'
import { breakingChanges, type Document, newestRelease } from '@/scripts/api/breaking-changes'

describe('200', () => {
  it('names every endpoint below /beak and /.well-known', async () => {
    const { body } = await call('GET /beak/openapi.json')
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

  it("is valid OpenAPI 3.1 and keeps Redocly's recommended rules", async () => {
    const document = { ...(await read()), servers: [{ url: 'https://beak.pond' }] }
    const problems = await lintFromString({
      source: JSON.stringify(document),
      config: await createConfig({ extends: ['recommended'] }),
    })
    const found = problems.map(({ ruleId, location }) => ({ ruleId, place: location[0]?.pointer ?? '' }))
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

describe('the API', () => {
  it('has no breaking change since the last release', async () => {
    const released = JSON.parse(readFileSync(String(newestRelease('docs/api')), 'utf8')) as Document
    expect(Object.keys(released.paths).length).toBeGreaterThan(80)
    const { body } = await call('GET /beak/openapi.json')
    expect(breakingChanges(released, body as unknown as Document)).toEqual([])
  })
})
