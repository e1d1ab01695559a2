import { snakeCase } from '@beak/decision/secret-values'

const plainName = /^[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/

const upperIban = (words: string) => words.replace(/\biban\b/, 'IBAN')

/** Returns the name of a param in words of the asker: "delivery date" of `delivery_date`. Any other form stays. The exact statement has all as sent. */
export const nameWords = (name: string): string =>
  plainName.test(name) ? upperIban(snakeCase(name).replaceAll('_', ' ')) : name

/** Returns the same with a capital letter: "Delivery date". */
export const nameLabel = (name: string): string =>
  plainName.test(name) ? nameWords(name).charAt(0).toUpperCase() + nameWords(name).slice(1) : name
