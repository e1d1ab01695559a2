/** The addresses of servers that may have a name and a password in them. */
import { z } from 'zod'
import { listWithOr } from '@/lib/kernel/text/list-words'

const encoding =
  'In a user name or a password, write # as %23, @ as %40, / as %2F, ? as %3F, : as %3A, % as %25 and a space as %20'

/**
 * Returns what is wrong with an address, or null. A character of a password that is not encoded ends the host or the password, and the rest
 * would be taken for a path, a query or a fragment, without a word.
 */
function faultOf(text: string, protocols: string[]): string | null {
  const isKind = protocols.some((protocol) => text.toLowerCase().startsWith(`${protocol}//`))
  if (!isKind) return `must be a URL with ${listWithOr(protocols)}`
  if (/\s/.test(text)) return `has a space. ${encoding}`
  if (text.includes('#')) return `has a "#". Everything after it would be ignored. ${encoding}`
  const rest = text.slice(text.indexOf('//') + 2)
  const [authority = ''] = rest.split(/[/?]/, 1)
  const [path = '', query = ''] = rest.slice(authority.length).split('?', 2)
  if (path.includes('@') || (query.includes('@') && !query.includes('=')))
    return `has an "@" after a "/" or a "?", so a part of the password would be read as a host. ${encoding}`
  if (authority.split('@').length > 2) return `has two "@" before the host. ${encoding}`
  if (/%(?![0-9A-Fa-f]{2})/.test(authority))
    return `has a "%" without two hexadecimal digits after it. ${encoding}`
  if (!URL.canParse(text)) return `cannot be parsed. Check the host and the port. ${encoding}`
  return null
}

/** Returns the schema of the address of a server. `needsHost`: a URL without a host is none. `check` finds more faults. */
export function serverUrl(
  protocols: string[],
  { needsHost = true, check }: { needsHost?: boolean; check?: (url: URL) => string | null } = {},
): z.ZodType<string, string> {
  return z.string().superRefine((text, context) => {
    const fault = faultOf(text, protocols)
    if (fault !== null) return context.addIssue(fault)
    const url = new URL(text)
    if (needsHost && url.hostname === '') return context.addIssue(`names no host. ${encoding}`)
    const more = check?.(url) ?? null
    if (more !== null) context.addIssue(more)
  })
}

/** The driver takes other values for "no TLS", without a word. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** Checks what the driver of PostgreSQL would ignore. */
export function databaseFault({ searchParams }: URL): string | null {
  const mode = searchParams.get('sslmode')
  return mode === null || sslModes.includes(mode) ? null : `sslmode must be ${listWithOr(sslModes)}`
}

/** Checks the number of the database of Redis. */
export function redisFault({ pathname }: URL): string | null {
  return /^\/?\d{0,5}$/.test(pathname)
    ? null
    : 'must end with the host, the port or the number of a database, such as /0'
}

/** Port 465 speaks TLS from the first byte, and 587 and 25 do not: with the other scheme, each mail waits for its time limit. */
export function smtpFault({ protocol, port, pathname }: URL): string | null {
  if (protocol === 'smtp:' && port === '465') return 'port 465 needs smtps:'
  if (protocol === 'smtps:' && (port === '587' || port === '25'))
    return `port ${port} needs smtp:, which begins TLS itself`
  return pathname === '' || pathname === '/' ? null : 'must end with the host or the port'
}
