/**
 * The language of the sentences that the current request or mail shows. On the server, `inLanguage` in `language-scope.ts` sets it. In the
 * browser, the page says it (`<html lang>`). Everything else, for instance an answer of the API, is in English.
 */
import { languages } from '@/lib/kernel/messages/generated/languages.js'

/** Where the server keeps the language. This module cannot import `node:async_hooks`, because browsers load it too. */
export const languageScope = Symbol.for('beak.language')

interface Scope {
  getStore(): string | undefined
  run<T>(language: string, work: () => T): T
}

const scopeOf = () => (globalThis as { [languageScope]?: Scope })[languageScope]

/** Returns the language of the current request or mail: one of `languages`. */
export function currentLanguage(): string {
  if (typeof document !== 'undefined') return findLanguage(document.documentElement.lang) ?? languages[0]
  return scopeOf()?.getStore() ?? languages[0]
}

/** Whether a person reads the sentences: on a page or in a mail, and not in an answer of the API to a program. */
export const hasReader = (): boolean => scopeOf()?.getStore() !== undefined

/** Runs `work`, and everything that it awaits, in English, even when a page in another language needs its result. */
export function inEnglish<T>(work: () => T): T {
  const scope = scopeOf()
  return scope === undefined ? work() : scope.run(languages[0], work)
}

/** Returns the language with tables for a language tag (RFC 5646): the same tag, else the same first part. Null when there is none. */
export function findLanguage(tag: string): string | null {
  const wanted = tag.toLowerCase()
  const [primary = ''] = wanted.split('-')
  const find = (name: string) => languages.find((language) => language.toLowerCase() === name)
  return find(wanted) ?? find(primary) ?? null
}
