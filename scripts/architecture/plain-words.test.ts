/** Checks that the pages and the documentation for people say things in plain words. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { peopleWords } from '@/components/ui/hard-words'
import { readLanguage } from '@/lib/fixtures/sentences'
import { productFiles, readTree } from './tree'

const english = Object.entries(readLanguage('en'))

/** Words of the API, for which people have a plain one: request, agent's key, connect, person, what is confirmed, certificate. */
const special =
  /\b(?:pecks?|beak keys?|bond(?:s|ed|ing)?|handshakes?|capabilit(?:y|ies)|ducklings?|trust tiers?|standing permissions?|birth certificates?)\b/i

/** Where these words may stand: what the API answers, its log and mails, the documentation, and the pages of those who build. */
const ofBuilders =
  /^(?:failure|field|events|mail|word|docs|agents|agent_check|webhooks|receipts|numbers|setting)_/

/** Returns the words that people read of a sentence, without the names of its values and elements. */
const shownWords = (text: string) =>
  text.replace(/<[^>]*>/g, ' ').replace(/\{\w+(?:, (?:plural|select),|\})/g, ' ')

describe('the trust tiers', () => {
  it('stand in no sentence of the pages as T0 to T3: people read what is confirmed', () => {
    const isOfApi = (name: string) => name.startsWith('failure_') || name.startsWith('word_tier')
    const named = english.filter(([name, text]) => !isOfApi(name) && /\bT[0-3]\b/.test(text))
    expect(named.map(([name]) => name)).toEqual([])
  })

  it('reach no element of a page without their words', () => {
    const bare = /(?:>\s*|value: )\{?[\w.]*(?:\.trust_tier|current_tier|\btier_scope)\}?\s*(?:<|,? \})/
    const shown = productFiles(readTree(process.cwd()))
      .filter(([path, text]) => path.startsWith('app/') && path.endsWith('.tsx') && bare.test(text))
      .map(([path]) => path)
    expect(shown).toEqual([])
  })
})

describe('the special words', () => {
  it('are at most seven for people', () => {
    expect(Object.keys(peopleWords).slice(0, 3)).toEqual(['request', 'allowed', 'certificate'])
    expect(Object.keys(peopleWords).length).toBeLessThanOrEqual(7)
  })

  it('of the API stand in no sentence of the pages for people', () => {
    const found = english.filter(([name, text]) => !ofBuilders.test(name) && special.test(shownWords(text)))
    expect(found.map(([name, text]) => `${name}: ${text}`)).toEqual([])
  })
})

describe('quotation marks', () => {
  it('are curly in every sentence', () => {
    const straight = english.filter(([, text]) => text.includes('"'))
    expect(straight.map(([name]) => name)).toEqual([])
  })
})

describe('the documentation for people', () => {
  const folder = 'docs/pages/people'
  const pages = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)

  it('has at most 15 pages, each within two screens', () => {
    expect(pages.length).toBeLessThanOrEqual(15)
    const long = pages.filter(([, text]) => text.split(/\s+/).length > 430)
    expect(long.map(([file]) => file)).toEqual([])
  })

  it('has the quotation marks of the pages', () => {
    const straight = pages.filter(([, text]) => text.replace(/```.*?```|`[^`]*`|<[^>]*>/gs, '').includes('"'))
    expect(straight.map(([file]) => file)).toEqual([])
  })

  it('uses no word of the API', () => {
    const found = pages.flatMap(([file, text]) => {
      // The addresses of links have words of the API.
      const read = text.replace(/\]\([^)]*\)/g, ']')
      const words = special.exec(read) ?? /\bT[0-3]\b/.exec(read)
      return words === null ? [] : [`${file}: ${words[0]}`]
    })
    expect(found).toEqual([])
  })
})
