/** Writes what the service says about a request, which travels as data, in the language of the page or mail. On the server only. */
import { type Money, moneyDigits } from '@beak/decision/display/money'
import { isolated } from '@beak/decision/isolated'
import { m } from '@/lib/kernel/messages'
import * as table from '@/lib/kernel/messages/generated/area-risk.js'
import { durationWords } from './duration-words'
import { kept, keptParts } from './kept-values'
import { currentLanguage } from './language'
import { readersLocale } from './time-words'

/** A `Wording` of packages/decision as the API has it. */
interface Wording {
  sentence: string
  values: Record<string, unknown>
}

const sentences: Readonly<Record<string, (values: never) => string>> = table

/**
 * Returns the sentence with marks around names and amounts, which no translator of a page changes. Null for a sentence that the table lacks, or
 * whose values are not those of this version: a newer version has stored it, and its text in English is at hand.
 */
export function worded({ sentence, values }: Wording): string | null {
  const name = `risk_${sentence}`
  if (!Object.hasOwn(sentences, name)) return null
  let isWhole = true
  const shown = new Proxy(values, {
    get: (given, value: string) => {
      const text = Object.hasOwn(given, value) ? shownValue(value, given[value]) : null
      if (text === null) isWhole = false
      return text
    },
  })
  const text = sentences[name]?.(shown as never) ?? null
  return isWhole ? text : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** JSON has no number for an amount beyond every number. */
const isMoney = (value: Record<string, unknown>): value is Record<string, unknown> & Money =>
  typeof value.amount === 'number' && (value.currency === null || typeof value.currency === 'string')

const isWording = (value: Record<string, unknown>): value is Record<string, unknown> & Wording =>
  typeof value.sentence === 'string' && isObject(value.values)

function shownValue(name: string, value: unknown): string | null {
  if (typeof value === 'number') return durationWords(value)
  if (typeof value === 'string') return shownText(name, value)
  if (!isObject(value)) return null
  if (isMoney(value)) {
    const number = kept(moneyDigits(value))
    return name === 'amount' && value.currency === null ? m.risk_no_currency({ number }) : number
  }
  return isWording(value) ? worded(value) : null
}

function shownText(name: string, text: string): string | null {
  if (name === 'date') return dayText(text, { weekday: 'long', year: 'numeric' })
  if (name === 'day')
    return text.length > 5 ? dayText(text, { year: 'numeric' }) : dayText(`2024-${text}`, {})
  return name === 'name' || name === 'agent' ? kept(text) : text
}

/** Returns a day: "23 November". A leap year has every day. Null for a text that is no day. */
function dayText(day: string, form: Intl.DateTimeFormatOptions): string | null {
  const at = Date.parse(day)
  if (Number.isNaN(at)) return null
  const format = new Intl.DateTimeFormat(readersLocale(), {
    day: 'numeric',
    month: 'long',
    ...form,
    timeZone: 'UTC',
  })
  return format.format(at)
}

/** Returns a text of the service in the language of the reader, without marks. In English it stays as the API has it. */
export function inReadersLanguage({ text, wording }: { text: string; wording?: Wording }): string {
  const shown = currentLanguage() === 'en' || wording === undefined ? null : worded(wording)
  if (shown === null) return text
  // A name that is written from right to left keeps its isolates.
  return keptParts(shown)
    .map((part, index) => (index % 2 === 0 ? part : isolated(part)))
    .join('')
}
