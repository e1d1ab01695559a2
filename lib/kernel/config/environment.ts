/** The addresses of servers that may have a name and a password in them. */

import { domainToASCII } from 'node:url'
import { isSupportedCountry } from 'libphonenumber-js/max'
import { z } from 'zod'
import { parseAddress } from '@/lib/kernel/request/host-name'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { readBaseUrl } from './base-url.mjs'
import { roles } from './sign-up-policy'

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
function serverUrl(
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
function databaseFault({ searchParams }: URL): string | null {
  const mode = searchParams.get('sslmode')
  return mode === null || sslModes.includes(mode) ? null : `sslmode must be ${listWithOr(sslModes)}`
}

/** Checks the number of the database of Redis. */
function redisFault({ pathname }: URL): string | null {
  return /^\/?\d{0,5}$/.test(pathname)
    ? null
    : 'must end with the host, the port or the number of a database, such as /0'
}

/** Port 465 speaks TLS from the first byte, and 587 and 25 do not: with the other scheme, each mail waits for its time limit. */
function smtpFault({ protocol, port, pathname }: URL): string | null {
  if (protocol === 'smtp:' && port === '465') return 'port 465 needs smtps:'
  if (protocol === 'smtps:' && (port === '587' || port === '25'))
    return `port ${port} needs smtp:, which begins TLS itself`
  return pathname === '' || pathname === '/' ? null : 'must end with the host or the port'
}

/** Senders and mailboxes of the environment, as they will be on the wire. */

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
  // Characters that IDNA maps or removes would give another domain than the written one.
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

/** The variables of the environment, each with its form and its default. */

const switchValue = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

/** A whole number in digits. `Number` would also take 0x10, 1e3 and 3000.0. */
function wholeNumber(what: string, least: number, most: number) {
  const message = `must be ${what} in digits, from ${least} to ${most}`
  return z
    .string()
    .trim()
    .regex(/^\d{1,10}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message)
}

/** The address of a service without a name, a password and a query. */
const plainUrl = serverUrl(['https:', 'http:'], {
  check: ({ username, password, search }) =>
    username + password + search === '' ? null : 'must have no user name, password or query',
})

const secretText = z.string().refine((value) => Buffer.byteLength(value) >= 32, 'must have at least 32 bytes')

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

const postgresUrl = serverUrl(['postgres:', 'postgresql:'], { needsHost: false, check: databaseFault })

/** The variables and their values, without those that other files of this folder parse. */
export const environment = z.object({
  PORT: wholeNumber('a port', 0, 65_535).default(3000),
  BASE_URL: z
    .string()
    .superRefine((value, context) => {
      const result = readBaseUrl(value)
      if ('fault' in result) context.addIssue(result.fault)
    })
    .optional(),
  DATA_DIR: z
    .string()
    .refine(
      (value) => !/^~|^\$/.test(value),
      'must not begin with "~" or "$", which only a shell replaces. Write the whole path',
    )
    .refine((value) => value === value.trim(), 'must not begin or end with a space')
    .default('.data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_WAIT: wholeNumber('a number of seconds', 0, 3600).default(60),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  REDIS_URL: serverUrl(['redis:', 'rediss:'], { check: redisFault }).optional(),
  UPSTASH_REDIS_REST_URL: plainUrl.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  SMTP_URL: serverUrl(['smtp:', 'smtps:'], { check: smtpFault }).optional(),
  MAIL_FROM: z
    .string()
    .transform(parseSender)
    .refine(
      (sender) => sender !== null,
      'must be one address, such as noreply@beak.example or Beak Team <noreply@beak.example>. A name with special characters needs quotation marks',
    )
    .optional(),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC\w+$/, 'must be the SID of the account, which begins with AC')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(?:\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/,
      'must be a number with + and the code of its country, such as +15005550006, a short code, or a name of at most 11 letters',
    )
    .optional(),
  TWILIO_API_URL: plainUrl.default('https://api.twilio.com'),
  SMS_DAILY_MAX: wholeNumber('a number', 0, 1_000_000_000).default(1000),
  SMS_COUNTRIES: z.string().optional(),
  BEAK_SECRET: secretText.optional(),
  BEAK_SECRET_PREVIOUS: secretText.optional(),
  SIGNUP: z.string().default('open'),
  TRUSTED_PROXIES: z.string().default(''),
  TLOG_WITNESSES: z.string().optional(),
  WEBHOOK_ALLOW_PRIVATE: switchValue.default(false),
  CHANNEL_HOSTS: z.string().default(''),
  PROGRAM_DOCUMENTS: switchValue.default(true),
  SITE_REGISTRATION: switchValue.default(false),
  SUPPORT_EMAIL: z
    .string()
    .transform(parseMailbox)
    .refine((address) => address !== null, 'must be an email address without a name')
    .optional(),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  BEAK_ROLES: z.string().default(roles.join()),
  WEB_CONCURRENCY: wholeNumber('a number of processes', 1, 128).default(1),
  METRICS_PORT: wholeNumber('a port', 1, 65_535).optional(),
  METRICS_HOST: z
    .string()
    .refine(
      (value) => value === 'localhost' || parseAddress(value) !== null,
      'must be an IP address of this machine, such as 127.0.0.1',
    )
    .default('127.0.0.1'),
  NODE_ENV: z
    .enum(['production', 'development', 'test'], 'must be production, development or test')
    .default('development'),
})

/**
 * Parses `CHANNEL_HOSTS`: host names and IP addresses, separated by commas, in the form that they have in URLs. Messages to channels may go to
 * them although they are private.
 */
export function parseChannelHosts(value: string, faults: string[]): ReadonlySet<string> {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const hosts = entries.flatMap((entry) => {
    const url = `http://${entry}/`
    const isHost = URL.canParse(url) && new URL(url).href === `http://${new URL(url).hostname}/`
    if (isHost) return [new URL(url).hostname]
    faults.push(
      `CHANNEL_HOSTS: "${entry}" must be a host name or an IP address, such as ntfy.internal or 192.168.1.5, without scheme, port and path`,
    )
    return []
  })
  return new Set(hosts)
}

/** Parses `SMS_COUNTRIES`. Returns null, which allows all countries, when it is not set. Adds a fault for each unknown country. */
export function parseCountries(value: string | undefined, faults: string[]): ReadonlySet<string> | null {
  if (value === undefined) return null
  const codes = value.split(',').map((code) => code.trim().toUpperCase())
  for (const code of codes)
    if (!isSupportedCountry(code))
      faults.push(`SMS_COUNTRIES: "${code}" is not the code of a country, such as US or DE`)
  return new Set(codes)
}
