import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import manifest from '@/package.json'

describe('200', () => {
  it.each(['/beak', '/beak/'])('GET %s returns name, version and time', async (path) => {
    const before = Date.now()
    const { status, body } = await call(`GET ${path}`)
    expect(status).toBe(200)
    expect(body).toEqual({ name: 'Beak', version: manifest.version, timestamp: expect.any(String) })
    expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.timestamp)).toBeLessThanOrEqual(Date.now())
  })
})
