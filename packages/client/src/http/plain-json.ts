/** Checks values before they are sent. `JSON.stringify` sends null for `NaN`, `{}` for a Map, and leaves out functions, all without a word. */
import { inexactNumber, isExactNumber } from '@beak/proofs/exact-numbers'

/** A number that JSON does not keep. */
export class InexactNumberError extends TypeError {}

/** The service accepts 32 levels. A value that holds itself has more. */
const depthMax = 40

interface Options {
  /** Sends an object with a method `toJSON` as what the method returns, as `JSON.stringify` does. */
  usesToJson: boolean
}

/**
 * Returns a copy of a value that JSON carries as it is. Members that are undefined are left out. `place` names the value in errors.
 *
 * @throws TypeError that names the place of a value that JSON would change or lose
 */
export function plainJson(value: unknown, place: string, options: Options = { usesToJson: true }): unknown {
  return copyOf(value, place, options, 0)
}

function copyOf(value: unknown, place: string, options: Options, depth: number): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return numberOf(value, place)
  if (typeof value === 'bigint') throw new InexactNumberError(`${place} ${inexactNumber}.`)
  if (typeof value !== 'object')
    throw unknownKind(place, value === undefined ? 'undefined' : `a ${typeof value}`)
  if (depth > depthMax) throw new TypeError(`${place} is nested too deep.`)
  const inner = (one: unknown, name: string | number) =>
    copyOf(one, place === '' ? `${name}` : `${place}.${name}`, options, depth + 1)
  // Not `map`, which leaves out empty places.
  if (Array.isArray(value)) return Array.from(value, inner)
  if (isPlain(value)) {
    if (Object.getOwnPropertySymbols(value).length > 0) throw unknownKind(`A name in ${place}`, 'a symbol')
    const members = Object.entries(value).filter(([, one]) => one !== undefined)
    return Object.fromEntries(members.map(([name, one]) => [name, inner(one, name)]))
  }
  const converted = options.usesToJson ? jsonOf(value) : null
  if (converted === null) throw unknownKind(place, `a ${value.constructor?.name || 'value of a class'}`)
  return copyOf(converted, place, options, depth + 1)
}

function numberOf(value: number, place: string): number {
  if (isExactNumber(value)) return value
  const fault = Number.isFinite(value) ? inexactNumber : `is ${value}, which JSON does not have`
  throw new InexactNumberError(`${place} ${fault}.`)
}

const unknownKind = (place: string, kind: string) =>
  new TypeError(`${place} is ${kind}, which JSON does not have. Send it as a string, a list or an object.`)

/** Returns what the method `toJSON` returns: null for a value without one, for an invalid date, and for bytes, which would become a list. */
function jsonOf(value: object): unknown {
  if (ArrayBuffer.isView(value) || !('toJSON' in value) || typeof value.toJSON !== 'function') return null
  return value.toJSON() ?? null
}

/** Tells whether a value is an object literal. A Date, a Map or an instance of a class is not. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
