/** How the decision page shows a param: its type and its text. Everything derives from the raw value. */

import { type DisplayType, type ParamType, paramTypes } from '@/lib/kernel/param-types'
import { addressesIn, lookAlikes } from '@/lib/kernel/text/addresses'
import { type MoneyName, moneyNameOf } from '@/lib/kernel/text/money-names'
import { withoutSecrets } from '@/lib/kernel/text/secret-values'
import { hiddenCharacter } from '@/lib/kernel/text/visible'
import { type Beside, findMoney, minorMoney, moneyText } from './money'
import { forms, plainText } from './param-types'

export interface DisplayValue {
  name: string
  type: DisplayType
  text: string
  /** What to look at twice, in a sentence of the service. */
  warning?: string
}

/**
 * Returns the type that a value is shown as. A secret is one whatever the asker declares. The declared type counts only when the value has
 * that form, so that a declaration cannot hide what the value is. Almost every text has the form of a text or a diff: these two only count
 * when the value has no other form.
 */
function typeOf(name: string, value: unknown, declared: ParamType | undefined): DisplayType {
  if (forms.secret.isFound(value, name)) return 'secret'
  const isDeclared = declared !== undefined && forms[declared].fits(value, name)
  if (isDeclared && forms[declared].isWeak?.(value) !== true) return declared
  const found = paramTypes.find((type) => forms[type].isFound(value, name))
  if (isDeclared && (found === undefined || found === 'text')) return declared
  return found ?? 'value'
}

/** Returns a param as it is shown. `beside`: what stands beside it. */
export function displayValue(
  name: string,
  value: unknown,
  declared: ParamType | undefined,
  beside: Beside = { currency: null },
): DisplayValue {
  const found = typeOf(name, value, declared)
  const minor = found === 'secret' ? null : minorMoney(name, value, beside)
  const type = minor === null ? found : 'money'
  const warning = warningOf(
    value,
    minor !== null ? null : type === 'money' ? 'amount' : moneyNameOf(name),
    beside.currency,
  )
  const shown = type === 'secret' ? value : withoutSecrets(name, value)
  const text = minor === null || minor === 'unclear' ? textOf(type, shown, beside.currency) : moneyText(minor)
  if (minor === 'unclear') return { name, type, text: plainText(value), warning: warning ?? unclearAmount }
  return { name, type, text, ...(warning === null ? {} : { warning }) }
}

function textOf(type: DisplayType, value: unknown, currency: string | null): string {
  const text = type === 'value' ? null : forms[type].text?.(value, currency)
  return text ?? plainText(value)
}

/** Whether a text has characters that nobody sees, or that change the direction of writing. */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacter.test(text)
}

const unclearAmount = 'Contains an amount that cannot be read exactly.'

/** Returns a warning when the value names an amount, at any depth, that cannot be read exactly. Items of a list have its name. */
function moneyWarning(value: unknown, name: MoneyName, currency: string | null = null): string | null {
  const { amounts, isUnclear } = findMoney(value, name, currency)
  if (isUnclear) return unclearAmount
  // An amount with its currency was read as a whole.
  if (typeof value !== 'object' || value === null || amounts.length > 0) return null
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
function warningOf(value: unknown, name: MoneyName, currency: string | null): string | null {
  if (hasHiddenCharacters(plainText(value))) return 'Contains characters that are not visible.'
  return (
    textsIn(value)
      .map(addressWarning)
      .find((warning) => warning !== null) ?? moneyWarning(value, name, currency)
  )
}

/** Returns the texts of a value, at any depth. Names are texts, too. */
export function textsIn(value: unknown): string[] {
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
