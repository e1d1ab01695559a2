/** Who owns the host of an address: the part that somebody registered, by the public suffix list. */
import { getDomain } from 'tldts'
import { readUrl } from '../read-url'
import type { DisplayValue } from './value'

/**
 * Returns the part of the host of a URL or an email address that its owner registered: "evil.example" for "bank.com.evil.example". Under a
 * suffix where everybody can have a host, such as "github.io", that is one host more. Null for IP addresses and names without a dot, of which
 * the whole host counts, and for values of other types.
 */
export function registrableDomain({ type, text }: Pick<DisplayValue, 'type' | 'text'>): string | null {
  const host =
    type === 'url' ? readUrl(text.trim())?.host : type === 'email' ? text.split('@').at(-1) : undefined
  return host === undefined ? null : getDomain(host.trim(), { allowPrivateDomains: true })
}
