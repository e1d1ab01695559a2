import { describe, expect, it } from 'vitest'
import { findCertificateId, findNumber } from './find-number'

const id = 'CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX'

describe('findCertificateId', () => {
  it.each([
    ['the number', id],
    ['the number with spaces around it', `  ${id}\n`],
    ['the number in lower case', id.toLowerCase()],
    ['the number without its prefix', id.slice(5)],
    ['letters that look like digits', id.replace('01', 'OL')],
    ['the address of its page', `https://beak.example/verify/${id}`],
    ['the address of its badge', `https://beak.example/badge/${id}.svg`],
    ['the address of its check', `https://beak.example/beak/cert/verify?cert_id=${id}&x=1`],
  ])('finds it in %s', (_, text) => {
    expect(findCertificateId(text)).toBe(id)
  })

  it.each([
    ['an empty text', ''],
    ['the id of a duckling', id.replace('CERT', 'DUCK')],
    ['a number that is cut off', id.slice(0, 18)],
    ['a number with the letter U', id.replace('WX', 'UX')],
    ['a number that is too long', `CERT-${'A'.repeat(65)}`],
    ['other words', 'my certificate'],
  ])('returns null for %s', (_, text) => {
    expect(findCertificateId(text)).toBeNull()
  })
})

describe('findNumber', () => {
  it('finds the number with that prefix only, in an address too', () => {
    const text =
      'https://beak.example/agents/AGT-01JDV8K2M3N4P5Q6R7S8T9V0WX?from=CERT-01JDV8K2M3N4P5Q6R7S8T9V0WX'
    expect(findNumber('AGT', text)).toBe('AGT-01JDV8K2M3N4P5Q6R7S8T9V0WX')
    expect(findNumber('PECK', text)).toBeNull()
    expect(findNumber('AGT', 'XAGT-01JDV8K2M3N4P5Q6R7S8T9V0WX')).toBeNull()
  })
})
