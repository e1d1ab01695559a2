/** How the decision page shows a param: its type and its text. Everything derives from the raw value. */

import { dateWords } from './date'
import { moneyIn, moneyText } from './money'
import type { ParamType } from './param-types'

export interface DisplayValue {
  name: string
  /** `value`: JSON of no special type. */
  type: ParamType | 'value'
  text: string
  /** What to look at twice, in a sentence of the service. */
  warning?: string
}

const emailText = /^[^\s@]{1,64}@[^\s@]{1,255}$/
const urlText = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i
const moneyName =
  /(^|_)(amount|price|total|cost|fee|budget|payment|salary|deposit|refund|donation|money)(_|$)/i
const secretName =
  /(^|_)(password|passwd|passphrase|secret|token|api_?key|private_?key|credential|pin|cvv|cvc)(_|$)/i
const longText = 80

/** Whether the name says that the value is an amount of money. `totalAmount` counts like `total_amount`. */
export function isMoneyName(name: string): boolean {
  return moneyName.test(snakeCase(name))
}

/** Whether the name says that the value is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(snakeCase(name))
}

const snakeCase = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[\s.-]+/g, '_')

function isDiff(value: unknown): value is { before: unknown; after: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).sort().join() === 'after,before'
}

/**
 * Returns the type that a value is shown as. The declared type counts only when the value has that form, so that a declaration cannot hide
 * what the value is.
 */
function typeOf(name: string, value: unknown, declared: ParamType | undefined): DisplayValue['type'] {
  if (declared !== undefined && hasForm[declared](value, name)) return declared
  if (isSecretName(name) && typeof value === 'string') return 'secret'
  for (const type of ['money', 'diff', 'url', 'email', 'date', 'text'] as const) {
    if (hasForm[type](value, name, false)) return type
  }
  return 'value'
}

type HasForm = (value: unknown, name: string, isDeclared?: boolean) => boolean

const hasForm: Record<ParamType, HasForm> = {
  money: (value, name, isDeclared = true) => moneyIn(value, isDeclared || isMoneyName(name)) !== null,
  date: (value) => typeof value === 'string' && dateWords(value) !== null,
  email: (value) => typeof value === 'string' && emailText.test(value),
  url: (value) => typeof value === 'string' && urlText.test(value),
  text: (value, _, isDeclared = true) =>
    typeof value === 'string' && (isDeclared || value.length > longText || value.includes('\n')),
  diff: (value, _, isDeclared = true) => isDiff(value) || (isDeclared && typeof value === 'string'),
  secret: (value) => typeof value === 'string',
}

/** Returns a param as it is shown. `currency`: the code that stands beside it. */
export function displayValue(
  name: string,
  value: unknown,
  declared: ParamType | undefined,
  currency: string | null = null,
): DisplayValue {
  const type = typeOf(name, value, declared)
  const warning = warningOf(type, value)
  return { name, type, text: textOf(type, value, currency), ...(warning === null ? {} : { warning }) }
}

function textOf(type: DisplayValue['type'], value: unknown, currency: string | null): string {
  if (type === 'money') {
    const money = moneyIn(value, true, currency)
    if (money !== null) return moneyText(money)
  }
  if (type === 'date' && typeof value === 'string') return dateWords(value) ?? value
  if (type === 'diff' && isDiff(value)) return `− ${plainText(value.before)}\n+ ${plainText(value.after)}`
  return plainText(value)
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u

/** Whether a text has characters that nobody sees, or that change the direction of writing. */
export function hasHiddenCharacters(text: string): boolean {
  return hidden.test(text)
}

/** Returns the characters of an address that are not plain ASCII. They may look like others: "а" (Cyrillic) like "a". */
export function lookAlikes(address: string): string[] {
  return [...new Set(address.match(/[^\u0020-\u007e]/gu) ?? [])]
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

function warningOf(type: DisplayValue['type'], value: unknown): string | null {
  const text = plainText(value)
  if (hasHiddenCharacters(text)) return 'Contains characters that are not visible.'
  if (type !== 'email' && type !== 'url') return null
  const found = lookAlikes(text)
  if (found.length > 0)
    return `Contains letters that can look like others: ${found
      .slice(0, 5)
      .map((character) => `${character} (${codePoint(character)})`)
      .join(', ')}.`
  if (/(^|[.@/])xn--/i.test(text)) return 'The address is written in code for foreign letters (xn--).'
  return type === 'url' && /^[^:]+:\/\/[^/?#]*@/.test(text)
    ? 'The address contains a user name before its host.'
    : null
}
