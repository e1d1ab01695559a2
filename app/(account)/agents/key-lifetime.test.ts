import { describe, expect, it } from 'vitest'
import { keyLifetime } from './key-lifetime'

const key = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-04-01T00:00:00.000Z' }
const at = (time: string) => keyLifetime(key, new Date(time))

describe('the lifetime of a key', () => {
  it('counts a day that has begun as a day left', () => {
    expect(at('2026-01-01T00:00:00.000Z')).toMatchObject({
      totalDays: 90,
      left: 1,
      text: '90 of 90 days left',
    })
    expect(at('2026-01-01T23:00:00.000Z').text).toBe('90 of 90 days left')
    expect(at('2026-01-02T01:00:00.000Z').text).toBe('89 of 90 days left')
  })

  it('warns when less than 14 days are left', () => {
    expect(at('2026-03-18T00:00:00.000Z').tone).toBe('good')
    expect(at('2026-03-18T00:00:01.000Z').tone).toBe('warn')
    expect(at('2026-03-31T12:00:00.000Z')).toMatchObject({ tone: 'warn', text: '1 of 90 days left' })
  })

  it('reports "Expired" from the moment the key expires', () => {
    expect(at('2026-04-01T00:00:00.000Z')).toMatchObject({ tone: 'bad', left: 0, text: 'Expired' })
  })

  it('uses the singular for a key of one day', () => {
    const short = { ...key, expires_at: '2026-01-02T00:00:00.000Z' }
    expect(keyLifetime(short, new Date('2026-01-01T06:00:00.000Z')).text).toBe('1 of 1 day left')
  })
})
