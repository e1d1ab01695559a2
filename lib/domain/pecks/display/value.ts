/** How the decision page shows a param: its type and its text. Everything derives from the raw value. */

import { addressesIn, lookAlikes } from '@/lib/kernel/addresses'
import { hiddenCharacter } from '@/lib/kernel/visible'
import { dateWords } from './date'
import { findMoney, isShortAmount, moneyIn, moneyText } from './money'
import { isSecretName, type MoneyName, moneyNameOf } from './names'
import type { ParamType } from './param-types'

export interface DisplayValue {
  name: string
  /** `value`: JSON of no special type. */
  type: ParamType | 'value'
  text: string
  /** What to look at twice, in a sentence of the service. */
  warning?: string
}

const emailText = /^[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,255}$/
const urlText = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i
const longText = 80

function isDiff(value: unknown): value is { before: unknown; after: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.keys(value).sort().join() === 'after,before'
}

/** A line of a change in the form of a unified diff: with a sign, or one of the lines that name the files. */
const diffLine =
  /^([-+ \\]|@@ |diff |index |old mode |new mode |new file mode |deleted file mode |similarity index |rename )/

/** Whether each line of a text says how it changes. The last line may be empty. */
function isDiffText(text: string): boolean {
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.every((line) => diffLine.test(line)) && lines.some((line) => /^[-+]/.test(line))
}

const specificForms = ['money', 'diff', 'url', 'email', 'date'] as const

/**
 * Returns the type that a value is shown as. The declared type counts only when the value has that form, so that a declaration cannot hide
 * what the value is. Almost every text has the form of a text or a diff: these two only count when the value has no other form.
 */
function typeOf(name: string, value: unknown, declared: ParamType | undefined): DisplayValue['type'] {
  const isWeak = declared === 'text' || (declared === 'diff' && typeof value === 'string')
  const isDeclared = declared !== undefined && hasForm[declared](value, name)
  if (isDeclared && !isWeak) return declared
  if (hasForm.secret(value, name)) return 'secret'
  const found = specificForms.find((form) => hasForm[form](value, name, false))
  if (found !== undefined) return found
  if (isDeclared) return declared
  return hasForm.text(value, name, false) ? 'text' : 'value'
}

type HasForm = (value: unknown, name: string, isDeclared?: boolean) => boolean

/** Whether a value is one amount. A short text that cannot be read exactly counts as well: it is shown as it is. */
function isMoney(value: unknown, name: MoneyName): boolean {
  if (moneyIn(value, name !== null) !== null) return true
  if (!isShortAmount(value) || ['url', 'email', 'date'].some((form) => hasForm[form as ParamType](value, '')))
    return false
  return findMoney(value, name).isUnclear
}

const hasForm: Record<ParamType, HasForm> = {
  money: (value, name, isDeclared = true) => isMoney(value, isDeclared ? 'amount' : moneyNameOf(name)),
  date: (value) => typeof value === 'string' && dateWords(value) !== null,
  email: (value) => typeof value === 'string' && emailText.test(value.trim()),
  url: (value) => typeof value === 'string' && urlText.test(value.trim()),
  text: (value, _, isDeclared = true) =>
    typeof value === 'string' && (isDeclared || value.length > longText || value.includes('\n')),
  diff: (value, _, isDeclared = true) =>
    isDiff(value) || (isDeclared && typeof value === 'string' && isDiffText(value)),
  secret: (value, name) => typeof value === 'string' && isSecretName(name),
}

/** Returns a param as it is shown. `currency`: the code that stands beside it. */
export function displayValue(
  name: string,
  value: unknown,
  declared: ParamType | undefined,
  currency: string | null = null,
): DisplayValue {
  const type = typeOf(name, value, declared)
  const warning = warningOf(value, type === 'money' ? 'amount' : moneyNameOf(name))
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

/** Whether a text has characters that nobody sees, or that change the direction of writing. */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacter.test(text)
}

/** Returns a warning when the value names an amount, at any depth, that cannot be read exactly. Items of a list have its name. */
function moneyWarning(value: unknown, name: MoneyName): string | null {
  if (findMoney(value, name).isUnclear) return 'Contains an amount that cannot be read exactly.'
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    const warning = moneyWarning(inner, Array.isArray(value) ? name : moneyNameOf(key))
    if (warning !== null) return warning
  }
  return null
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns what to look at twice. Reads the raw value and not the shown type, so that no declaration hides a warning. */
function warningOf(value: unknown, name: MoneyName): string | null {
  if (hasHiddenCharacters(plainText(value))) return 'Contains characters that are not visible.'
  return (
    textsIn(value)
      .map(addressWarning)
      .find((warning) => warning !== null) ?? moneyWarning(value, name)
  )
}

/** Returns the texts of a value, at any depth. Names are texts, too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

function addressWarning(text: string): string | null {
  const addresses = addressesIn(text)
  const found = lookAlikes(addresses.map((address) => address.text).join(''))
  if (found.length > 0)
    return `Contains letters that can look like others: ${found
      .slice(0, 5)
      .map((character) => `${character} (${codePoint(character)})`)
      .join(', ')}.`
  if (addresses.some(({ place }) => /(^|[.@])xn--/.test(place)))
    return 'The address is written in code for foreign letters (xn--).'
  return addresses.some((address) => /:[/\\]{2}.*@/s.test(address.text))
    ? 'The address contains a user name before its host.'
    : null
}
