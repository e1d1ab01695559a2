import { describe, expect, it } from 'vitest'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { currentLanguage } from '@/lib/kernel/text/language'
import { inLanguage } from '@/lib/kernel/text/language-scope'
import { languageOf } from './language'

describe('languageOf', () => {
  it.each([
    ['en', 'en'],
    ['en-GB,en;q=0.8', 'en'],
    ['xx;q=1, EN-us;q=0.5', 'en'],
    ['xx', 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['../../etc/passwd', 'en'],
    [`xx,${'y'.repeat(10_000)}`, 'en'],
  ])('answers an existing table for %j', (header, language) => {
    expect(languageOf(header)).toBe(language)
  })
})

describe('inLanguage', () => {
  it('keeps the language of simultaneous requests apart', async () => {
    const read = (language: string) =>
      inLanguage(language, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return currentLanguage()
      })
    expect(await Promise.all([read('de'), read('fr')])).toEqual(['de', 'fr'])
    expect(currentLanguage()).toBe('en')
  })
})

describe('singleton', () => {
  it('makes a value for all callers in English, also for a page in another language', () => {
    const made = inLanguage('de', () => singleton('test.language', currentLanguage))
    forget('test.language')
    expect(made).toBe('en')
  })
})
