/** Numbers, amounts and days as somebody could read them. A text with two readings has both. Only for comparison. */

/** From the first to the last moment of a day, or a moment. In milliseconds since 1970. */
export type Span = readonly [from: number, to: number]

const hourMs = 3_600_000
/** A day somewhere on earth begins up to 14 hours earlier or later than in UTC. */
const zonesMs = 14 * hourMs

const run = /[-\u2212]?(?:0x[0-9a-f]+|\d(?:[\d.,'\u2019_ ]*\d)?(?:e[+-]?\d{1,3})?)(?: ?[km](?![a-z]))?/gi
const powers: Record<string, number> = { k: 1e3, m: 1e6 }

/** Returns what one row of digits may mean: "4.800" is 4.8 and 4800. */
function numbersOfRun(text: string): number[] {
  const [, suffix = ''] = / ?([km])$/i.exec(text) ?? []
  const digits = text.replace(/ ?[km]$/i, '').replace(/[\u2019'_ ]/g, '')
  const groups = digits.split(/[.,]/)
  const [middle, decimals] = [groups.slice(1, -1), groups.at(-1) ?? '']
  // Versions and addresses of computers are no numbers.
  if (middle.some((group) => group.length !== 3 && !(group.length === 2 && decimals.length === 3))) return []
  const readings = [
    ...(groups.length === 1 || decimals.length === 3 ? [groups.join('')] : []),
    ...(groups.length === 1 ? [] : [`${groups.slice(0, -1).join('')}.${decimals}`]),
  ]
  return readings
    .map((reading) => Number(reading.replace('\u2212', '-')) * (powers[suffix.toLowerCase()] ?? 1))
    .filter(Number.isFinite)
}

/** Returns every number that stands in a text. */
export const numbersIn = (text: string): number[] => (text.match(run) ?? []).flatMap(numbersOfRun)

/** Words beside a number that leave it an amount: a currency. */
const besideNumber = /^(?:[a-z]{3}|euros?|dollars?|pounds?|francs?|k|m|e|x[a-f]*)?$/

/** Returns the numbers that a whole text is. None for a text that says more. */
export function numbersOf(text: string): number[] {
  const letters = text.replace(/\P{L}/gu, '').toLowerCase()
  const runs = text.match(run) ?? []
  return runs.length === 1 && besideNumber.test(letters) ? numbersIn(text) : []
}

function daySpan(year: number, month: number, day: number): Span[] {
  const from = Date.UTC(year < 100 ? 2000 + year : year, month - 1, day)
  const date = new Date(from)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? [[from, from + 24 * hourMs - 1]] : []
}

const month = /(?<!\p{L})(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?!\p{L})/iu

/** Returns the days and moments that a text may name: "3/4/2026" is a day of March and one of April. */
export function spansIn(text: string): Span[] {
  const iso = [...text.matchAll(/(?<!\d)(\d{4})(?:([-./ ]?)(\d{1,2})\2(\d{1,2}))(?!\d)/g)]
  const other = [...text.matchAll(/(?<!\d)(\d{1,2})[-./ ] ?(\d{1,2})[-./ ] ?(\d{4}|\d\d)(?!\d)/g)]
  const days = [
    ...iso.flatMap(([, year, , month, day]) => daySpan(Number(year), Number(month), Number(day))),
    ...other.flatMap(([, one, two, year]) => [
      ...daySpan(Number(year), Number(two), Number(one)),
      ...daySpan(Number(year), Number(one), Number(two)),
    ]),
  ]
  const isTime = text.length <= 40 && (/\d[T ]\d{1,2}:?\d\d/.test(text) || month.test(text))
  const time = isTime ? Date.parse(text) : Number.NaN
  const [, seconds] = /^(\d{9,10})(?:\d{3})?(?:\.\d+)?$/.exec(text) ?? []
  const moment = seconds === undefined ? time : Number(seconds) * 1000
  if (Number.isNaN(moment)) return days
  // Without a time, the moment is midnight of the server.
  return isTime && !/\d:\d|\dT\d/.test(text) ? daysAround(moment) : [[moment, moment]]
}

/** Returns the day of a local midnight, which can be the day before in UTC. */
function daysAround(midnight: number): Span[] {
  const date = new Date(midnight)
  return daySpan(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

const isMoment = ([from, to]: Span): boolean => from === to

/** Tells whether two spans are the same day or moment, for a day and a moment in some time zone. */
export function isSameTime(span: Span, other: Span): boolean {
  const slack = isMoment(span) === isMoment(other) ? 0 : zonesMs
  return span[0] - slack <= other[1] && other[0] <= span[1] + slack
}

/** Tells whether a span may be earlier than another one, or the same, in some time zone. */
export const mayBeEarlier = ([from]: Span, [, to]: Span): boolean => from - zonesMs <= to
