/** The types of params: the form that a value must have, and its text. `lib/kernel/request/param-types.ts` has their order. docs/recipes/param-type.md. */

import { type MoneyName, moneyNameOf } from '../money-names'
import type { ParamType } from '../param-types'
import { isWholeSecret } from '../secret-values'
import { dateWords } from './date'
import { findMoney, isShortAmount, moneyIn, moneyText } from './money'

interface Form {
  /** Whether a value can be shown as the type when the asker declares it. */
  fits: (value: unknown, name: string) => boolean
  /** Whether a value has the type without a declaration. */
  isFound: (value: unknown, name: string) => boolean
  /** Whether almost every text fits. Then the declaration counts only when no other type is found. */
  isWeak?: (value: unknown) => boolean
  /** Returns the text of a value, or null for the value as it is. `currency`: the code that stands beside it. */
  text?: (value: unknown, currency: string | null) => string | null
}

export const forms: Record<ParamType, Form> = {
  money: {
    fits: (value) => isMoney(value, 'amount'),
    isFound: (value, name) => isMoney(value, moneyNameOf(name)),
    text(value, currency) {
      const money = moneyIn(value, true, currency)
      return money === null ? null : moneyText(money)
    },
  },
  email: { fits: isEmail, isFound: isEmail },
  url: { fits: isUrl, isFound: isUrl },
  date: {
    fits: isDate,
    isFound: isDate,
    text: (value) => (typeof value === 'string' ? dateWords(value) : null),
  },
  diff: {
    fits: (value) => isDiff(value) || (typeof value === 'string' && isDiffText(value)),
    isFound: isDiff,
    isWeak: (value) => typeof value === 'string',
    text: (value) => (isDiff(value) ? `− ${plainText(value.before)}\n+ ${plainText(value.after)}` : null),
  },
  text: {
    fits: (value) => typeof value === 'string',
    isFound: (value) => typeof value === 'string' && (value.length > longText || value.includes('\n')),
    isWeak: () => true,
  },
  secret: { fits: isSecret, isFound: isSecret },
}

const longText = 80
const emailText = /^[^\s@<>,;:]{1,64}@[^\s@<>,;:]{1,255}$/
const urlText = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S+$/i

function isEmail(value: unknown): boolean {
  return typeof value === 'string' && emailText.test(value.trim())
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && urlText.test(value.trim())
}

function isDate(value: unknown): boolean {
  return typeof value === 'string' && dateWords(value) !== null
}

function isSecret(value: unknown, name: string): boolean {
  return isWholeSecret(name, value)
}

/** Whether a value is one amount. A short text that cannot be read exactly counts as well: it is shown as it is. */
function isMoney(value: unknown, name: MoneyName): boolean {
  if (moneyIn(value, name !== null) !== null) return true
  if (!isShortAmount(value) || isUrl(value) || isEmail(value) || isDate(value)) return false
  return findMoney(value, name).isUnclear
}

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

/** Returns a text as it is, and any other value as JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
