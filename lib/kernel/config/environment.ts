/** The variables of the environment, each with its form and its default (contract E). */
import { z } from 'zod'
import { parseAddress } from '@/lib/kernel/ip-address'
import { listWithOr } from '@/lib/kernel/text/list-words'
import { readBaseUrl } from './base-url.mjs'
import { roles } from './roles'

const switchValue = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')

function urlOf(protocols: string[]) {
  return z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL with ${listWithOr(protocols)}`,
    )
}

const secretText = z.string().refine((value) => Buffer.byteLength(value) >= 32, 'must have at least 32 bytes')

export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** The variables and their values, without those that other files of this folder parse. */
export const environment = z.object({
  PORT: z.coerce.number('must be a port number').int().min(0).max(65535).default(3000),
  BASE_URL: z
    .string()
    .superRefine((value, context) => {
      const result = readBaseUrl(value)
      if ('fault' in result) context.addIssue(result.fault)
    })
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_WAIT: z.coerce.number('must be a number of seconds').min(0).max(3600).default(60),
  DATABASE_DIRECT_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  REDIS_URL: urlOf(['redis:', 'rediss:']).optional(),
  UPSTASH_REDIS_REST_URL: urlOf(['https:', 'http:']).optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\r\n]+$/, 'must be an email address')
    .optional(),
  TWILIO_ACCOUNT_SID: z.string().min(1).optional(),
  TWILIO_AUTH_TOKEN: z.string().min(1).optional(),
  TWILIO_FROM: z.string().min(1).optional(),
  TWILIO_API_URL: urlOf(['https:', 'http:']).default('https://api.twilio.com'),
  SMS_DAILY_MAX: z.coerce.number('must be a number').int().min(0).max(1_000_000_000).default(1000),
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
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
    .optional(),
  LOG_LEVEL: z.enum(logLevels).default('info'),
  BEAK_ROLES: z.string().default(roles.join()),
  WEB_CONCURRENCY: z.coerce.number('must be a number of processes').int().min(1).max(128).default(1),
  METRICS_PORT: z.coerce.number('must be a port number').int().min(1).max(65535).optional(),
  METRICS_HOST: z
    .string()
    .refine(
      (value) => value === 'localhost' || parseAddress(value) !== null,
      'must be an IP address of this machine, such as 127.0.0.1',
    )
    .default('127.0.0.1'),
  NODE_ENV: z.string().default('development'),
})
