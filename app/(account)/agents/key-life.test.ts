import { describe, expect, it } from 'vitest'
import { keyLife } from './key-life'

const key = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-04-01T00:00:00.000Z' }
const at = (time: string) => keyLife(key, new Date(time))

describe('the life of a key', () => {
  it('is whole on its first day and counts begun days', () => {
    expect(at('2026-01-01T00:00:00.000Z')).toMatchObject({
      totalDays: 90,
      left: 1,
      words: '90 of 90 days left',
    })
    expect(at('2026-01-01T23:00:00.000Z').words).toBe('90 of 90 days left')
    expect(at('2026-01-02T01:00:00.000Z').words).toBe('89 of 90 days left')
  })

  it('warns once less than 14 days are left', () => {
    expect(at('2026-03-18T00:00:00.000Z').tone).toBe('good')
    expect(at('2026-03-18T00:00:01.000Z').tone).toBe('warn')
    expect(at('2026-03-31T12:00:00.000Z')).toMatchObject({ tone: 'warn', words: '1 of 90 days left' })
  })

  it('is over when the key expires', () => {
    expect(at('2026-04-01T00:00:00.000Z')).toMatchObject({ tone: 'bad', left: 0, words: 'Expired' })
  })

  it('says the life of a key of one day in words that fit', () => {
    const short = { ...key, expires_at: '2026-01-02T00:00:00.000Z' }
    expect(keyLife(short, new Date('2026-01-01T06:00:00.000Z')).words).toBe('1 of 1 day left')
  })
})
