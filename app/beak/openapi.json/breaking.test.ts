import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { breakingChanges, type Document, newestRelease } from '@/scripts/api/breaking-changes'

describe('the API', () => {
  it('has no breaking change since the last release', async () => {
    const released = JSON.parse(readFileSync(String(newestRelease('docs/api')), 'utf8')) as Document
    expect(Object.keys(released.paths).length).toBeGreaterThan(80)
    const { body } = await call('GET /beak/openapi.json')
    expect(breakingChanges(released, body as unknown as Document)).toEqual([])
  })
})
