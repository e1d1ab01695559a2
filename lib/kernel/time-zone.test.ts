import { describe, expect, it } from 'vitest'
import { canonicalTimeZone } from './time-zone'

describe('canonicalTimeZone', () => {
  it('returns the name of a zone in its usual spelling', () => {
    expect(canonicalTimeZone('europe/BERLIN')).toBe('Europe/Berlin')
    expect(canonicalTimeZone('America/Argentina/Buenos_Aires')).toMatch(/^America\/.*Buenos_Aires$/)
  })

  it.each(['', 'Mars/Olympus', '+01:00', 'Europe/Berlin; Path=/', '../etc', 'a'.repeat(5000)])(
    'returns null for %j',
    (name) => expect(canonicalTimeZone(name)).toBeNull(),
  )
})
