import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from './endpoint'
import { openapiDocument } from './openapi'

const GET = endpoint({
  operationId: 'getNest',
  summary: 'A nest',
  auth: 'none',
  limit: 'anonymous',
  withoutDatabase: true,
  deprecated: { since: '2026-11-22', sunset: '2027-06-01', see: '/docs/versioning#nest' },
  response: z.object({ eggs: z.int() }),
  handle: () => ({ eggs: 3 }),
})

describe('a deprecated endpoint', () => {
  it('says since when, until when, and what to use instead', async () => {
    const { headers } = await GET(new Request('http://localhost/beak/system/nest'))
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 22) / 1000}`)
    expect(headers.get('sunset')).toBe('Tue, 01 Jun 2027 00:00:00 GMT')
    expect(headers.get('link')).toMatch(/^<http.*\/docs\/versioning#nest>; rel="deprecation"/)
    expect(headers.get('access-control-expose-headers')).toMatch(/Deprecation, Sunset, Link/)
  })

  it('is deprecated in the API reference', () => {
    const { paths } = openapiDocument({ '/beak/system/nest': { GET } }, '0') as {
      paths: Record<string, Record<string, object>>
    }
    expect(paths['/beak/system/nest']?.get).toMatchObject({
      operationId: 'getNest',
      deprecated: true,
      description: expect.stringContaining('Deprecated since 2026-11-22. It may be gone from 2027-06-01 on.'),
    })
  })
})
