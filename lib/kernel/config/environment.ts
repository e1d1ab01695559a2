/** The variables of the environment, each with its form and its default (contract E). */
import { z } from 'zod'
import { parseAddress } from '@/lib/kernel/ip-address'
import { readBaseUrl } from './base-url.mjs'
import { parseMailbox, parseSender } from './mail-address'
import { roles } from './roles'
import { databaseFault, redisFault, serverUrl, smtpFault } from './server-url'

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
