/**
 * What the service says about a request, as data: the name of a sentence and its values. Each sentence is in the table of sentences
 * (`packages/decision/src/risk/risk.en.json`) and is written for its reader: in English here, for answers of the API and the approver, and in the language
 * of the page or mail by `lib/kernel/text/worded.ts`.
 */
import { dayWords } from './display/date'
import { type Money, moneyDigits, moneyText } from './display/money'
import { duration } from './duration'
import { english } from './generated/english'
import { isolated } from './person-name'

type Sentence = keyof typeof english

export interface Wording {
  sentence: Sentence
  values: Record<string, Value>
}

/** A text, seconds, an amount, or a part with words of its own. */
type Value = string | number | Money | Wording

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
type NamesOf<Name extends Sentence> = (typeof english)[Name] extends { select: infer Selector }
  ? Selector
  : NamesIn<(typeof english)[Name]>

/** The kinds of values by their names. All others are texts. */
interface Kinds {
  age: number
  amount: Money
  larger: Money
  number: Money
  smaller: Money
  doing: Wording
  whom: Wording
}

type ValuesOf<Name extends Sentence> = {
  [Value in NamesOf<Name> & string]: Value extends keyof Kinds ? Kinds[Value] : string | Wording
}

/** Returns a sentence with its values. What the table lacks does not compile. */
export const say = <Name extends Sentence>(
  sentence: Name,
  ...[values]: [NamesOf<Name>] extends [never] ? [] : [ValuesOf<Name>]
): Wording => ({ sentence, values: values ?? {} })

/** Writes a sentence in English. */
export function englishText({ sentence, values }: Wording): string {
  const form: string | { select: string; match: Record<string, string> } = english[sentence]
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(name, value)]))
  const text = typeof form === 'string' ? form : chosen(form.match, texts[form.select] ?? '')
  return text.replace(/\{(\w+)\}/g, (_, name: string) => texts[name] ?? '')
}

/** Returns the case of a choice. A case has no spaces: `access_key` is the case of "access key", too. */
function chosen(match: Record<string, string>, value: string): string {
  const key = value.replaceAll(' ', '_')
  return (Object.hasOwn(match, key) ? match[key] : match.other) ?? ''
}

function shown(name: string, value: Value): string {
  if (typeof value === 'number') return duration(value)
  if (typeof value === 'string') return name === 'day' ? dayOf(value) : textOf(name, value)
  if ('sentence' in value) return englishText(value)
  return name === 'amount' ? moneyText(value) : moneyDigits(value)
}

const textOf = (name: string, value: string): string =>
  name === 'date' ? (dayWords(value) ?? value) : name === 'name' ? isolated(value) : value

/** "23 November" of `11-23`, which is in the year of the request, and "23 November 2025" of `2025-11-23`. */
function dayOf(day: string): string {
  const [, date = '', month = '', year = ''] =
    / (\d+) (\w+) (\d+)$/.exec(dayWords(day.padStart(10, '2024-')) ?? '') ?? []
  return day.length > 5 ? `${date} ${month} ${year}` : `${date} ${month}`
}
