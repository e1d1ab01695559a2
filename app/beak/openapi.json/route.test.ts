import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { table } from '@/app/beak/_api/table'

describe('200', () => {
  it('returns a valid OpenAPI 3.1 document with every endpoint below /beak and /.well-known', async () => {
    const { body } = await call('GET /beak/openapi.json')
    const result = await new Validator().validate(body)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
    expect(Object.keys(body.paths).filter((path) => !/^\/(beak|\.well-known)\//.test(path))).toEqual([])
    const listed = Object.entries(table).filter(([path]) => !['/healthz', '/readyz'].includes(path))
    for (const [path, route] of listed) {
      for (const method of Object.keys(route).filter((name) => ['GET', 'POST', 'PUT'].includes(name))) {
        expect(body.paths[path === '/beak' ? '/beak/' : path], `${method} ${path}`).toHaveProperty(
          method.toLowerCase(),
        )
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
