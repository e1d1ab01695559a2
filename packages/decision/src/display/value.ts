/** How the decision page shows a param: its type and its text. Everything derives from the raw value. */

import { addressesIn, lookAlikes } from '../addresses'
import { type MoneyName, moneyNameOf } from '../money-names'
import { type DisplayType, type ParamType, paramTypes } from '../param-types'
import type { Params } from '../params'
import { withoutSecrets } from '../secret-values'
import { hiddenCharacter } from '../visible'
import { say, type Wording } from '../wording'
import { currencyCode } from './currencies'
import { dateParts, isDay } from './date'
import { type Beside, findMoney, minorMoney, moneyIn, moneyText } from './money'
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
  if (minor === 'unclear')
    return { name, type, text: plainText(value), warning: (warning ?? unclearAmount).text }
  return { name, type, text, ...(warning === null ? {} : { warning: warning.text }) }
}

/** Returns what stands beside each of the params. */
export const besideOf = (params: Params): Beside => ({
  currency: currencyCode(params.currency),
  unit: params.unit,
})

/** What is in the words of the service in a value, as data. A passkey signs the English text only. */
export interface ValueWording {
  wording?: Wording
  warning_wording?: Wording
}

/** Returns what the service says in a value. `value`: as it is shown. `raw`: as it was sent. */
export function wordingOf(
  { name, type, text, warning }: DisplayValue,
  raw: unknown,
  beside: Beside,
): ValueWording {
  const said =
    type === 'date' ? dateWording(raw) : type === 'money' ? moneyWording(name, raw, text, beside) : null
  return {
    ...(said === null ? {} : { wording: said }),
    ...(warning === undefined ? {} : { warning_wording: (textWarning(raw) ?? unclearAmount).wording }),
  }
}

function dateWording(raw: unknown): Wording | null {
  if (typeof raw !== 'string') return null
  if (isDay(raw)) return say('date', { date: raw })
  const parts = dateParts(raw)
  if (parts === null) return null
  const { date, time, zone } = parts
  return zone === null ? say('date_no_zone', { date, time }) : say('date_in_zone', { date, time, zone })
}

/** An amount has words of the service only when it has no currency. */
function moneyWording(name: string, raw: unknown, text: string, beside: Beside): Wording | null {
  const minor = minorMoney(name, raw, beside)
  const money = minor === null || minor === 'unclear' ? moneyIn(raw, true, beside.currency) : minor
  return money?.currency === null && moneyText(money) === text ? say('no_currency', { number: money }) : null
}

function textOf(type: DisplayType, value: unknown, currency: string | null): string {
  const text = type === 'value' ? null : forms[type].text?.(value, currency)
  return text ?? plainText(value)
}

/** Whether a text has characters that nobody sees, or that change the direction of writing. */
export function hasHiddenCharacters(text: string): boolean {
  return hiddenCharacter.test(text)
}

/** What to look at twice. A passkey signs the text, so no change of the table changes it. */
interface Warning {
  text: string
  wording: Wording
}

const unclearAmount: Warning = {
  text: 'Contains an amount that cannot be read exactly.',
  wording: say('value_unclear'),
}

/** Returns a warning when the value names an amount, at any depth, that cannot be read exactly. Items of a list have its name. */
function moneyWarning(value: unknown, name: MoneyName, currency: string | null = null): Warning | null {
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
function warningOf(value: unknown, name: MoneyName, currency: string | null): Warning | null {
  return textWarning(value) ?? moneyWarning(value, name, currency)
}

/** Returns a warning about the texts of a value. */
function textWarning(value: unknown): Warning | null {
  if (hasHiddenCharacters(plainText(value)))
    return { text: 'Contains characters that are not visible.', wording: say('value_hidden') }
  const warnings = textsIn(value).map(addressWarning)
  return warnings.find((warning) => warning !== null) ?? null
}

/** Returns the texts of a value, at any depth. Names are texts, too. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)])
}

function addressWarning(text: string): Warning | null {
  const addresses = addressesIn(text)
  const found = lookAlikes(addresses.map((address) => address.text).join(''))
  if (found.length > 0) {
    const letters = found
      .slice(0, 5)
      .map((character) => `${character} (${codePoint(character)})`)
      .join(', ')
    return {
      text: `Contains letters that can look like others: ${letters}.`,
      wording: say('value_look_alike', { letters }),
    }
  }
  if (addresses.some(({ place }) => /(^|[.@])xn--/.test(place)))
    return {
      text: 'The address is written in code for foreign letters (xn--).',
      wording: say('value_foreign_letters'),
    }
  return addresses.some((address) => /:[/\\]{2}.*@/s.test(address.text))
    ? { text: 'The address contains a user name before its host.', wording: say('value_user_name') }
    : null
}
