/** The details of a request as lines of a form: name, value and type. Lines and JSON say the same, so changing the view loses nothing. */
import { inexactNumbersIn, isExactNumber } from '@beak/proofs/exact-numbers'

/** `auto`: the type that the value looks like. `text`: a text, whatever it looks like. `json`: any value of JSON. */
const lineTypes = ['auto', 'text', 'json'] as const
export type LineType = (typeof lineTypes)[number]

export interface Line {
  name: string
  value: string
  type: LineType
}

export const emptyLine: Line = { name: '', value: '', type: 'auto' }

/** What a value looks like. An amount is sent as it was typed: the service reads it (docs/risk.md). */
export type Look = 'text' | 'number' | 'amount' | 'yes_no'

const yes = ['yes', 'true']
const no = ['no', 'false']
const amountText = /^(?:[€$£¥]\s?-?\d[\d.,' ]*|-?\d[\d.,' ]*\s?(?:[€$£¥]|[A-Z]{3})|[A-Z]{3}\s-?\d[\d.,' ]*)$/

/** Returns what a value looks like. "007" and "9007199254740993" are texts, because a number would lose zeros or digits. */
export function lookOf(value: string): Look {
  const word = value.toLowerCase()
  if (yes.includes(word) || no.includes(word)) return 'yes_no'
  if (value !== '' && String(Number(value)) === value && isExactNumber(Number(value))) return 'number'
  return amountText.test(value) ? 'amount' : 'text'
}

/** More than the params of a request may have (4 KiB): longer JSON is not even read. */
const readMax = 8192

/** The JSON of a text, or why there is none. `place`: the first number that JSON does not keep, such as `ids.0`. */
export type JsonRead =
  | { value: unknown; fault?: undefined }
  | { fault: 'malformed' }
  | { fault: 'inexact'; place: string }

/** Returns the JSON of a text. A far too long text is malformed. */
export function readJson(text: string): JsonRead {
  if (text.length > readMax) return { fault: 'malformed' }
  try {
    const value: unknown = JSON.parse(text)
    const [place] = inexactNumbersIn(text, 1)
    return place === undefined ? { value } : { fault: 'inexact', place }
  } catch {
    return { fault: 'malformed' }
  }
}

function sentValue({ value, type }: Line): JsonRead {
  if (type === 'json') return readJson(value)
  const look = type === 'auto' ? lookOf(value) : 'text'
  if (look === 'yes_no') return { value: yes.includes(value.toLowerCase()) }
  return { value: look === 'number' ? Number(value) : value }
}

/** Why lines say nothing that can be sent. `inexact`: JSON does not keep all digits of a number. */
export type LineFault = 'unnamed' | 'repeated' | 'malformed' | 'inexact'

export type LinesRead =
  | { params: Record<string, unknown>; fault?: undefined }
  | { fault: LineFault; at: number }

/** Returns what lines say, or the first fault and its line. Empty lines do not count. */
export function paramsOfLines(lines: Line[]): LinesRead {
  const entries = new Map<string, unknown>()
  for (const [at, line] of lines.entries()) {
    const { name, value } = line
    if (name === '' && value === '') continue
    if (name === '') return { fault: 'unnamed', at }
    if (entries.has(name)) return { fault: 'repeated', at }
    const read = sentValue(line)
    if (read.fault !== undefined) return { fault: read.fault, at }
    entries.set(name, read.value)
  }
  return { params: Object.fromEntries(entries) }
}

/** More lines than these are edited as JSON. */
export const linesMax = 40

/** Returns the lines that say the same as some params, or null when lines cannot: then they are edited as JSON. */
export function linesOfParams(params: unknown): Line[] | null {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return null
  const entries = Object.entries(params)
  // A field of one line drops line breaks.
  if (entries.length > linesMax || entries.some(([name]) => name === '' || /[\n\r]/.test(name))) return null
  return entries.map(([name, value]) => ({ name, ...lineValue(value) }))
}

function lineValue(value: unknown): Omit<Line, 'name'> {
  const type = 'auto'
  if (typeof value === 'boolean') return { value: value ? 'yes' : 'no', type }
  if (typeof value === 'number' && lookOf(String(value)) === 'number') return { value: String(value), type }
  if (typeof value !== 'string' || /[\n\r]/.test(value)) return { value: JSON.stringify(value), type: 'json' }
  const look = lookOf(value)
  return { value, type: look === 'yes_no' || look === 'number' ? 'text' : type }
}

const fieldOf = (part: keyof Line, index: number) => `detail_${part}_${index}`

/** Returns the names of the fields of a line. */
export const lineFields = (index: number): Record<keyof Line, string> => ({
  name: fieldOf('name', index),
  value: fieldOf('value', index),
  type: fieldOf('type', index),
})

/** Returns the lines in the fields of a form. `read` returns the text of a field, or undefined when the form has none. */
export function linesIn(read: (field: string) => string | undefined): Line[] {
  const lines: Line[] = []
  for (let index = 0; index < linesMax; index++) {
    const name = read(fieldOf('name', index))
    if (name === undefined) break
    const type = lineTypes.find((known) => known === read(fieldOf('type', index))) ?? 'auto'
    lines.push({ name, value: read(fieldOf('value', index)) ?? '', type })
  }
  return lines
}
