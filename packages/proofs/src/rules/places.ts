/** Host names and paths in rules. ASCII where names of other scripts could look alike, and no form that two programs read differently. */

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** The last label begins with a letter: otherwise it is a numeric address, which has no domain. */
const host = `(?:${label}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?`
const hostForm = new RegExp(`^${host}$`)
const anyCaseForm = new RegExp(`^${host}$`, 'i')
/** Without "%" and "!", with which old mail servers route to another host. */
const emailForm = new RegExp(`^[A-Za-z0-9._+'&=~-]{1,64}@(${host})$`, 'i')
/**
 * Without user, password and port. A backslash would be a slash to browsers, and some programs read "https://a.example#@b.example" as a
 * visit to b.example.
 */
const urlForm = new RegExp(`^https://(${host})(?:/[!-\\[\\]-~]*|[?#][!-?A-\\[\\]-~]*)?$`, 'i')

/** Tells whether a text is a host name in small letters, with at least one dot. */
export const isHost = (text: string): boolean => text.length <= 253 && hostForm.test(text)

/** Returns the host name of an email address, of a web address, or of a text that is one, in small letters. Null for any other value. */
export function hostIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const [, found] = emailForm.exec(value) ?? urlForm.exec(value) ?? []
  // The forms are ASCII: a letter such as the Kelvin sign has an ASCII letter as its small one.
  const name = found ?? (anyCaseForm.test(value) ? value : '')
  return isHost(name.toLowerCase()) ? name.toLowerCase() : null
}

const phoneForm = /^\+[\d ()./-]{6,}$/
const ibanForm = /^[a-z]{2}\d{2}[a-z0-9]{11,30}$/i
const walletForm = /^0x[0-9a-f]{40}$/i
const accountForm = /^(?:duck|agt)-/i

/**
 * Tells whether a value can be somebody whom an action reaches: an email address, a web address of any kind, a host name, a phone number, an
 * account. Rather too often than too rarely.
 */
export function isAddress(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const text = value.normalize('NFKC')
  const words = text.split(/[ \t\n\r]+/).filter((word) => word !== '')
  const hasDot = words.length === 1 && /[^.\u3002][.\u3002]+[^.\u3002]/.test(text)
  const joined = words.join('')
  const isNumbered = [ibanForm, walletForm, accountForm].some((form) => form.test(joined))
  const hasMark = /@|:\/\/|^[^a-z0-9]*[a-z][a-z0-9+.-]*:/i.test(text)
  return hasDot || hasMark || isNumbered || phoneForm.test(words.join(' '))
}

/** Characters that some program takes for a separator of paths, and those that nobody sees. An escaped one may become a separator later. */
const unsafeInPath = /[\\%\u00a5\u20a9\u2044\u2215\u2216\u29f5\u29f8\u29f9\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
/** Parts that some program reads as "..", such as "..;" or ".. ", and others than that. */
const unsafePart = /^\.\.|^\.[; ]|[. ]$/

/** Returns the parts of an absolute path, without "." and "..", or null for anything else. */
function partsOf(value: unknown): string[] | null {
  // Two slashes at the beginning name a server on some systems.
  if (typeof value !== 'string' || !/^\/(?!\/)/.test(value)) return null
  if (value.normalize('NFKC') !== value || unsafeInPath.test(value)) return null
  const parts: string[] = []
  for (const part of value.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (unsafePart.test(part)) return null
    else parts.push(part)
  }
  return parts
}

/** Tells whether a text is an absolute path that a rule may name. */
export const isPath = (text: string): boolean => partsOf(text) !== null

/** Returns an absolute path without ".", ".." and superfluous slashes, or null for a text that no rule may name. */
export function normalPath(text: string): string | null {
  const parts = partsOf(text)
  return parts === null ? null : `/${parts.join('/')}`
}

/** Tells whether a value is a path below `base`, and not `base` itself. */
export function isBelow(value: unknown, base: string): boolean {
  const [parts, above] = [partsOf(value), partsOf(base)]
  if (parts === null || above === null || parts.length <= above.length) return false
  return above.every((part, at) => parts[at] === part)
}
