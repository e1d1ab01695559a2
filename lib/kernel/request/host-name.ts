import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { m } from '@/lib/kernel/messages'

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const form = new RegExp(`^(${label}\\.)+${label}$`)

/** Characters that the URL parser would remove, decode or read as another part of a URL instead of rejecting them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const foreign = /[\u0000-\u0020\u007f/\\:@?#%[\]<>^|]/

/**
 * Returns a public host name as in DNS: punycode, lower-cased, without the trailing dot. Returns null for anything else: a scheme,
 * port, path or userinfo, an IP address in any spelling, `localhost`, or a name without a dot.
 */
export function hostName(text: string): string | null {
  if (text.length > 255 || foreign.test(text)) return null
  // IDNA converts U+3002 and similar characters to dots, so the trailing dot is removed after the conversion.
  const name = domainToASCII(text).replace(/\.$/, '')
  if (name.length > 253 || !form.test(name) || isIP(name) !== 0) return null
  return /(^|\.)(localhost|\d+)$/.test(name) ? null : name
}

/** A field with a host name, converted to its form in DNS. */
export const hostNameField = z
  .string()
  .max(255, { error: m.field_must_have_at_most_255_characters })
  .transform((text, context) => {
    const name = hostName(text)
    if (name !== null) return name
    context.addIssue({
      code: 'custom',
      message: m.field_host_name_format(),
    })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'hostname', maxLength: 255 })

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network: its address and the number of bits of its prefix. */
export type Network = [Address, number]

/**
 * Parses an IP address. Returns null for other text, for an address with a zone, and for spellings of IPv4 that only some
 * programs accept (`127.1`, `0x7f000001`).
 */
export function parseAddress(text: string): Address | null {
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text)
}

/** Returns the one spelling of an address (RFC 5952, and IPv4 for IPv4-mapped IPv6), or null when the text is not an address. */
export function normalAddress(text: string): string | null {
  // Most addresses are IPv4, which a dual-stack socket reports in this form. This saves them two thirds of the time.
  const plain = text.replace(/^::ffff:(?=\d+\.)/, '')
  if (isIP(plain) === 4) return plain
  const address = parseAddress(text)
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    return address.toIPv4Address().toString()
  return address?.toString() ?? null
}

/** Parses an address or a network in CIDR notation. Returns null for other text. */
export function parseNetwork(text: string): Network | null {
  const [, start = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(start)
  if (address === null) return null
  const widest = address.kind() === 'ipv6' ? 128 : 32
  const length = bits === undefined ? widest : Number(bits)
  return length > widest ? null : [address, length]
}

/** Tells whether an address belongs to one of the networks. */
export function isInNetworks(text: string, networks: Network[]): boolean {
  const address = parseAddress(text)
  return networks.some((network) => address?.kind() === network[0].kind() && address.match(network))
}

/** Returns the IPv6 network of an address with a prefix of 16 to 128 bits, in steps of 16. */
function networkV6(address: ipaddr.IPv6, bits: number): string {
  const groups = address.parts.slice(0, bits / 16)
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** Returns the block that one customer of a provider may have: the /24 of an IPv4 address, the /48 of an IPv6 address. */
export function addressBlock(text: string | null): string {
  if (text === null) return 'unknown'
  const address = parseAddress(text)
  return address instanceof ipaddr.IPv6
    ? networkV6(address, 48)
    : `${text.split('.').slice(0, 3).join('.')}.0/24`
}

/** Returns what rate limits count by: an IPv4 address, or the /64 of an IPv6 address, because one host has all of it. */
export function limitKeyOf(text: string): string {
  if (isIP(text) !== 6) return text
  const address = parseAddress(text)
  return address instanceof ipaddr.IPv6 ? networkV6(address, 64) : text
}

/** Returns the /48 of an IPv6 address, for a second limit. Null for an IPv4 address. */
export function wideLimitKeyOf(text: string): string | null {
  if (isIP(text) !== 6) return null
  const address = parseAddress(text)
  return address instanceof ipaddr.IPv6 ? networkV6(address, 48) : null
}

/** Tells whether two addresses are of one host or network, as rate limits see it. The addresses of the machine itself are one. */
export function isSameNetwork(left: string, right: string): boolean {
  const isOwn = (text: string) => parseAddress(text)?.range() === 'loopback'
  return limitKeyOf(left) === limitKeyOf(right) || (isOwn(left) && isOwn(right))
}

/** Ranges that only this machine, or a network of its own, reaches. */
const ownRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/** Tells whether a server that listens on an address may be reached from outside: a public address, or all addresses of the machine. */
export function isReachableAnywhere(host: string): boolean {
  const address = parseAddress(normalAddress(host) ?? '')
  return address !== null && !ownRanges.has(address.range())
}
