/** Senders and mailboxes of the environment, as they will be on the wire. */
import { domainToASCII } from 'node:url'

export interface Sender {
  /** What mail programs show. Null: the name of the service. */
  name: string | null
  /** The address in MAIL FROM and in the header. */
  address: string
}

/** What mail servers take before the `@` without the extension SMTPUTF8 (RFC 5321, section 4.1.2, without quoted texts). */
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const domainLiteral = /^\[[0-9A-Fa-f:.]+\]$/

/** Returns an address with its domain as in DNS, or null when no mail server would take it. */
export function parseMailbox(text: string): string | null {
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  if (at < 1 || local.length > 64 || !localPart.test(local)) return null
  if (domainLiteral.test(domain)) return text
  // Characters that IDNA maps or removes would give another domain than the one that stands there.
  if (/[\s/\\:?#%<>()[\],;"@]/.test(domain)) return null
  const name = domainToASCII(domain)
  return name !== '' && domainForm.test(name) ? `${local}@${name}` : null
}

/** Takes the quotation marks of a quoted name away (RFC 5322, quoted-string). */
function readName(text: string): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1').trim()
  // Unquoted, these would end the name or begin another address.
  return /["<>@,;:\\()[\]]/.test(text) ? null : text
}

/**
 * Parses `address`, `<address>` or `Name <address>`, where the name may be in quotation marks and in any script. Returns null for everything
 * else, such as two addresses.
 */
export function parseSender(text: string): Sender | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
  if (/[\u0000-\u001f\u007f]/.test(text)) return null
  const [, before, bracketed] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = parseMailbox((bracketed ?? text).trim())
  if (address === null) return null
  const name = readName((before ?? '').trim())
  return name === null ? null : { name: name === '' ? null : name, address }
}
