/** The bounds of `at_most`, `at_least` and `between`: money of one currency, numbers, or dates. Values of two kinds are never compared. */
import { isExactNumber } from '../exact-numbers'
import { moneyOfParam, readMoney } from './money'

/** A value that can be compared with others of its `kind`. */
export interface Measure {
  /** The currency of money, `number`, `date` for a day, `time` for a time with its zone. */
  kind: string
  size: number
}

const dateForm = /^(\d{4})-(\d\d)-(\d\d)$/
const timeForm = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d))$/
const dayMs = 86_400_000

/** Returns the day as milliseconds since 1970 in UTC, or null. The 30th of February is no day. */
function dayOf(text: string): number | null {
  const [, year = '', month = '', day = ''] = dateForm.exec(text) ?? []
  const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
  if (year < '1000' || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) return null
  return time
}

/** Returns a time with its zone (RFC 3339) as milliseconds since 1970, or null. */
function timeOf(text: string): number | null {
  const [
    ,
    date = '',
    hours = '',
    minutes = '',
    seconds = '0',
    fraction = '',
    sign,
    zoneHours = '0',
    zoneMinutes = '0',
  ] = timeForm.exec(text) ?? []
  const day = dayOf(date)
  const isOver = Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59
  if (day === null || isOver || Number(zoneHours) > 23 || Number(zoneMinutes) > 59) return null
  const zone = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const ofDay = (Number(hours) * 60 + Number(minutes) - zone) * 60_000
  const time = day + ofDay + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'))
  return Math.abs(time) < 100_000_000 * dayMs ? time : null
}

function dateMeasure(text: string): Measure | null {
  const day = dayOf(text)
  if (day !== null) return { kind: 'date', size: day }
  const time = timeOf(text)
  return time === null ? null : { kind: 'time', size: time }
}

/** Returns the measure of a bound, or null when it is none. */
function measureOfBound(bound: string | number): Measure | null {
  if (typeof bound === 'number') return isExactNumber(bound) ? { kind: 'number', size: bound } : null
  const money = readMoney(bound)
  return money === null ? dateMeasure(bound) : { kind: money.currency, size: money.minor }
}

/** Returns the measure of a param as the kind of a bound, or null. `beside`: the param `currency`. */
function measureOfParam(value: unknown, beside: unknown, kind: string): Measure | null {
  if (kind === 'number') return typeof value === 'number' ? measureOfBound(value) : null
  if (kind === 'date' || kind === 'time') return typeof value === 'string' ? dateMeasure(value) : null
  const money = moneyOfParam(value, beside)
  return money === null ? null : { kind: money.currency, size: money.minor }
}

export const isBound = (bound: string | number): boolean => measureOfBound(bound) !== null

/** Tells whether two bounds are of one kind, the smaller first. */
export function isSameKind([low, high]: readonly [string | number, string | number]): boolean {
  const [from, to] = [measureOfBound(low), measureOfBound(high)]
  return from !== null && to !== null && from.kind === to.kind && from.size <= to.size
}

/** Tells whether a bound is an amount of money. */
export const isMoneyBound = (bound: string | number): boolean =>
  typeof bound === 'string' && readMoney(bound) !== null

/** Compares a param with a bound: negative, zero or positive. Null when they cannot be compared. */
export function compareWithBound(value: unknown, beside: unknown, bound: string | number): number | null {
  const limit = measureOfBound(bound)
  const measure = limit === null ? null : measureOfParam(value, beside, limit.kind)
  if (limit === null || measure === null || measure.kind !== limit.kind) return null
  return measure.size - limit.size
}
