/**
 * Finds numbers in JSON that a double does not hold as they are written. `JSON.parse` rounds them without a word: 9007199254740993 becomes
 * 9007199254740992, and whoever approved one number would have approved another. Reads the text, because the value no longer shows it.
 */

/** What is wrong with such a number. */
export const inexactNumber = 'must be a string: JSON numbers do not keep so many digits'

/** Tells whether a number in a value is one that JSON keeps: finite, and within ±(2^53 − 1) when it is whole. */
export const isExactNumber = (number: number): boolean =>
  Number.isFinite(number) && (Number.isSafeInteger(number) || !Number.isInteger(number))

/** Tells whether JSON keeps all numbers in a value, at any depth. */
export function hasExactNumbers(value: unknown): boolean {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'number' && !isExactNumber(next)) return false
    if (typeof next === 'object' && next !== null) for (const one of Object.values(next)) waiting.push(one)
  }
  return true
}

/**
 * Returns the value of a JSON text. Use it instead of `JSON.parse` for what a person approves, signs or compares.
 *
 * @throws SyntaxError for another text, RangeError that names the numbers that `JSON.parse` would round
 */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  refuseInexact(text)
  return value
}

/** Throws RangeError that names the numbers of a JSON text that `JSON.parse` would round. */
export function refuseInexact(text: string): void {
  const faults = inexactNumbersIn(text).map((place) => `${place || 'The number'} ${inexactNumber}`)
  if (faults.length > 0) throw new RangeError(`${faults.join('. ')}.`)
}

/** Every shorter number without an exponent is exact: a double keeps 15 digits. Most texts have no number that needs a look. */
const mayBeInexact = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|\d+(?:\.\d+)?[eE])/
/** A double never needs more digits. */
const digitsMax = 17
const exactDigits = 15
/** Numbers with a smaller exponent can have fewer digits as doubles. */
const smallest = -300
/** The fields of an error need not be longer. */
const placeMax = 200

/**
 * Returns the places of the numbers in a JSON text that are not exact, at most `max` of them: `params.ids.0`, and an empty text for the whole
 * value. The text must be valid JSON.
 */
export function inexactNumbersIn(text: string, max = 20): string[] {
  if (!mayBeInexact.test(text)) return []
  const places: string[] = []
  const open: Place[] = []
  let inside: Place | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const end = endOfString(text, at)
      if (inside?.isAtName) {
        inside.nameStart = at
        inside.nameEnd = end + 1
      }
      at = end
    } else if (isDigit(char) || char === 0x2d) {
      const start = at
      while (isOfNumber(text.charCodeAt(at + 1))) at++
      // So short numbers are exact, unless they have an exponent.
      if (at - start < exactDigits && !hasExponent(text, start, at)) continue
      if (isExact(text, start, at + 1)) continue
      places.push(nameOf(open, text))
      if (places.length === max) break
    } else if (char === 0x2c && inside !== undefined) {
      if (inside.index === null) inside.isAtName = true
      else inside.index++
    } else if (char === 0x3a && inside !== undefined) {
      inside.isAtName = false
    } else if (char === 0x7b || char === 0x5b) {
      inside = { index: char === 0x5b ? 0 : null, isAtName: char === 0x7b, nameStart: 0, nameEnd: 0 }
      open.push(inside)
    } else if (char === 0x7d || char === 0x5d) {
      open.pop()
      inside = open.at(-1)
    }
  }
  return places
}

/** Where the scanner is inside of an object or a list. */
interface Place {
  /** The index in a list; null in an object. */
  index: number | null
  isAtName: boolean
  /** The name of the member, with its quotation marks. */
  nameStart: number
  nameEnd: number
}

function nameOf(open: Place[], text: string): string {
  const names = open.map(({ index, nameStart, nameEnd }) =>
    index === null ? (JSON.parse(text.slice(nameStart, nameEnd)) as string) : String(index),
  )
  const place = names.join('.')
  return place.length > placeMax ? `${place.slice(0, placeMax)}…` : place
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}

const isDigit = (char: number) => char >= 0x30 && char <= 0x39
const isExponent = (char: number) => char === 0x65 || char === 0x45

const isOfNumber = (char: number) =>
  isDigit(char) || char === 0x2e || char === 0x2b || char === 0x2d || isExponent(char)

/** Tells whether a number has an exponent. The first character is a digit or a sign. */
function hasExponent(text: string, start: number, last: number): boolean {
  for (let at = start + 1; at < last; at++) if (isExponent(text.charCodeAt(at))) return true
  return false
}

/** Tells whether the number at a place of a text keeps its value as a double. */
function isExact(text: string, start: number, end: number): boolean {
  // How many digits there are from the first to the last one that is not zero, and where the point is, counted from the first of them.
  let [digits, zeros, point, at] = [0, 0, 0, start]
  let isWhole = true
  for (; at < end; at++) {
    const char = text.charCodeAt(at)
    if (isExponent(char)) break
    if (char === 0x2e) isWhole = false
    if (!isDigit(char)) continue
    if (char !== 0x30) {
      digits += zeros + 1
      zeros = 0
    } else if (digits > 0) zeros++
    if (isWhole && digits > 0) point++
    else if (!isWhole && digits === 0) point--
  }
  if (digits === 0) return true
  if (digits > digitsMax) return false
  const exponent = point - 1 + (at === end ? 0 : Number(text.slice(at + 1, end)))
  if (digits <= exactDigits && exponent < exactDigits && exponent > smallest) return true
  const written = text.slice(start, end)
  const number = Number(written)
  if (!isExactNumber(number)) return false
  if (String(number) === written) return true
  return number !== 0 && isWrittenBy(text, start, digits, exponent, number.toExponential())
}

/** Tells whether the first `digits` digits from the first that is not zero, and the exponent, are those of a number in exponential form. */
function isWrittenBy(
  text: string,
  start: number,
  digits: number,
  exponent: number,
  shortest: string,
): boolean {
  const end = shortest.indexOf('e')
  if (Number(shortest.slice(end + 1)) !== exponent) return false
  let at = start
  for (let char = text.charCodeAt(at); !isDigit(char) || char === 0x30; char = text.charCodeAt(at)) at++
  let found = 0
  for (let place = shortest.startsWith('-') ? 1 : 0; place < end; place++) {
    const char = shortest.charCodeAt(place)
    if (char === 0x2e) continue
    if (text.charCodeAt(at) === 0x2e) at++
    if (text.charCodeAt(at++) !== char) return false
    found++
  }
  return found === digits
}
