/**
 * Email addresses and hosts anywhere in a text of another person. Each pattern takes linear time: its parts have a length and cannot match
 * the same characters in two ways.
 */

export interface Address {
  /** The text of the address, and where it starts. */
  text: string
  start: number
  /** Whom or what it reaches, in small letters: an email address, or the host of a URL. */
  place: string
}

/** A URL up to the end of its host, with the user name before it. Browsers end the host at a backslash, too. */
const url = /[a-z][a-z0-9+.-]{1,20}:[/\\]{2}([^\s/\\?#<>"“”]{1,300})/giu
const ends = '\\s@＠<>()\\[\\]",;:“”'
/** An email address. The part before the @ may be in quotation marks. */
const mail = new RegExp(`(?:[^${ends}/\\\\?#=&]{1,64}|")[@＠]([^${ends}/\\\\?#]{1,255})`, 'gu')
const host = /(?<![\p{L}\p{M}\p{N}.@-])[\p{L}\p{M}\p{N}-]{1,63}(?:[.。．｡][\p{L}\p{M}\p{N}-]{1,63}){1,20}/gu

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Whether letters of scripts that look alike stand in one part of a host. */
const mixesScripts = (text: string) =>
  text.split('.').some((label) => scripts.filter((script) => script.test(label)).length > 1)

function found(pattern: RegExp, text: string, placeOf: (match: RegExpExecArray) => string): Address[] {
  return [...text.matchAll(pattern)].map((match) => {
    const shown = match[0].replace(/[.!?…'’]{1,8}$/u, '')
    return {
      text: shown,
      start: match.index,
      place: placeOf(match)
        .replace(/[.!?…'’]{1,8}$/u, '')
        .toLowerCase(),
    }
  })
}

/** Returns the host of the part of a URL before its path: without the user name and the port. */
const hostOf = (authority: string) => authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d{0,5}$/, '')

/** An address has one of these. A host alone only counts with letters of another script. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const mayHaveAddress = /@|:[/\\]|[^\x00-\x7f]/

/**
 * Returns the addresses in a text, in their order. A host without "https://" only counts when it mixes scripts: file names and sentences
 * without a space after the full stop have the same form.
 */
export function addressesIn(text: string): Address[] {
  if (!mayHaveAddress.test(text)) return []
  const urls = found(url, text, ([, authority = '']) => hostOf(authority))
  const mails = found(mail, text, ([whole]) => whole)
  const hosts = found(host, text, ([whole]) => whole).filter(({ place }) => mixesScripts(place))
  const sorted = [...urls, ...mails, ...hosts].sort((left, right) => left.start - right.start)
  // The user name and the host of a URL together look like an email address. Only the URL counts.
  let end = 0
  return sorted.filter(({ start, text: { length } }) => {
    if (start < end) return false
    end = start + length
    return true
  })
}

/** Returns the characters of an address that are not plain ASCII. They may look like others: "а" (Cyrillic) like "a". */
export function lookAlikes(address: string): string[] {
  return [...new Set(address.match(/[^\u0020-\u007e]/gu) ?? [])]
}
