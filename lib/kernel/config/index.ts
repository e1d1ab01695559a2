/**
 * The configuration, parsed once from the environment. When a value is wrong, the process does not start and lists
 * every fault. Nothing else in the code reads `process.env`.
 */
import { resolve } from 'node:path'
import type { z } from 'zod'
import { isReachableAnywhere, type Network, parseNetwork } from '@/lib/kernel/request/host-name'
import { forget, singleton } from '@/lib/kernel/runtime/singleton'
import { ConfigurationError } from '@/lib/kernel/service/start-problem'
import { readBaseUrl } from './base-url.mjs'
import { environment, type logLevels, parseChannelHosts, parseCountries } from './environment'
import { type Limits, parseLimits } from './limits'
import { type Secrets, storedSecrets } from './secret-files'
import { parseRoles, parseSignUp, type Role, roles, type SignUpPolicy } from './sign-up-policy'
import { parseWitnesses, type Witness } from './tlog-witnesses'
import { findQuoted, findUnknown, withFiles } from './variables'

export interface Config extends Secrets {
  port: number
  /** Where every link and every token issuer begins: `origin` and `basePath`. Never ends in a slash. */
  baseUrl: string
  /** What browsers call this service: scheme, host and port of `baseUrl`. */
  origin: string
  /** The path of `baseUrl`, for instance `/prod`; empty when the service is at the root of its host. */
  basePath: string
  dataDir: string
  databaseUrl: string | null
  /** Seconds that the start waits for PostgreSQL. */
  databaseWait: number
  /** The address of PostgreSQL for the connection that listens for notifications. Null with the embedded database. */
  listenerUrl: string | null
  redis: { url: string } | { restUrl: string; restToken: string } | null
  smtp: { url: string; from: string } | null
  /** The name that mail programs show for the sender. */
  mailName: string
  /** Whether messages without a configured provider are stored in `DATA_DIR/outbox`. True only on a loopback origin. */
  hasOutbox: boolean
  twilio: { accountSid: string; authToken: string; from: string; apiUrl: string } | null
  /** Limit of text messages per UTC day, for the whole service. */
  smsDailyMax: number
  /** ISO 3166 codes of the countries whose numbers get text messages. Null allows all. */
  smsCountries: ReadonlySet<string> | null
  /** Whether the secrets are files in the data folder. */
  hasStoredSecret: boolean
  trustedProxies: Network[] | null
  webhookAllowPrivate: boolean
  /** Hosts of channels that may have private addresses. */
  channelHosts: ReadonlySet<string>
  /** Whether documents describe programs that connect. */
  programDocuments: boolean
  /** Whether sites may register themselves (RFC 7591). */
  siteRegistration: boolean
  supportEmail: string
  signUp: SignUpPolicy
  /** Witnesses that cosign the checkpoints of the transparency log. */
  tlogWitnesses: Witness[]
  logLevel: (typeof logLevels)[number]
  roles: ReadonlySet<Role>
  /** The number of processes that share the port. */
  processes: number
  /** Where the metrics are served. Null: nowhere. */
  metrics: { host: string; port: number } | null
  limits: Limits
}

/** Returns whether an address is one of this computer. */
export function isLoopback(baseUrl: string): boolean {
  const host = new URL(baseUrl).hostname
  return (
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
  )
}

function parseProxies(value: string, faults: string[]): Network[] | null {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (entries.length === 0) return null
  return entries.flatMap((entry) => {
    const network = parseNetwork(entry)
    if (network !== null) return [network]
    faults.push(`TRUSTED_PROXIES: "${entry}" is neither an address nor a network like 10.0.0.0/8`)
    return []
  })
}

function requireAllOrNone(env: NodeJS.ProcessEnv, names: string[], faults: string[]): boolean {
  const present = names.filter((name) => env[name])
  if (present.length > 0 && present.length < names.length)
    faults.push(`${names.join(', ')} belong together: set all of them or none`)
  return present.length === names.length
}

/** Finds faults between variables. Reads the raw texts, so that a fault in one variable does not hide these faults. */
function findMisfits(env: NodeJS.ProcessEnv, faults: string[]): void {
  requireAllOrNone(env, ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'], faults)
  const hasUpstash = requireAllOrNone(env, ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'], faults)
  const { DATABASE_URL, DATABASE_DIRECT_URL, BEAK_SECRET, BEAK_SECRET_PREVIOUS, REDIS_URL } = env
  if (!DATABASE_URL && Number(env.WEB_CONCURRENCY ?? 1) > 1)
    faults.push(
      'WEB_CONCURRENCY: only one process can open the embedded database; set DATABASE_URL, or WEB_CONCURRENCY=1',
    )
  if (DATABASE_URL && !BEAK_SECRET)
    faults.push('BEAK_SECRET: required with DATABASE_URL (at least 32 bytes, the same on every instance)')
  if (DATABASE_DIRECT_URL && !DATABASE_URL)
    faults.push('DATABASE_DIRECT_URL: set DATABASE_URL too, or unset both for the embedded database')
  if (BEAK_SECRET_PREVIOUS && !BEAK_SECRET)
    faults.push('BEAK_SECRET_PREVIOUS: set BEAK_SECRET too, or unset both: then both are files in DATA_DIR')
  if (BEAK_SECRET_PREVIOUS && BEAK_SECRET_PREVIOUS === BEAK_SECRET)
    faults.push(
      'BEAK_SECRET_PREVIOUS: must not be the same as BEAK_SECRET; unset it when no rotation is in progress',
    )
  if (env.METRICS_HOST && !env.METRICS_PORT) faults.push('METRICS_HOST: set METRICS_PORT too, or unset both')
  if (env.METRICS_PORT && Number(env.METRICS_PORT) === Number(env.PORT ?? 3000))
    faults.push('METRICS_PORT: must be another port than PORT')
  if (REDIS_URL && hasUpstash) faults.push('REDIS_URL and UPSTASH_REDIS_REST_URL: set only one of them')
}

/** Returns warnings for the operator about settings that do not stop the start. */
export function warningsOf({
  hasOutbox,
  smtp,
  twilio,
  databaseUrl,
  redis,
  baseUrl,
  tlogWitnesses,
  metrics,
  trustedProxies,
}: Config): string[] {
  const warnings: string[] = []
  if (!hasOutbox && smtp === null)
    warnings.push('SMTP_URL is not set: no mail is sent, so nobody can verify an address or sign in by code')
  if (!hasOutbox && twilio === null)
    warnings.push('TWILIO_ACCOUNT_SID is not set: no text message is sent, so nobody can reach tier T2')
  if (databaseUrl !== null && redis === null)
    warnings.push(
      'REDIS_URL is not set: rate limits count in this instance only, so several instances together allow more requests',
    )
  if (tlogWitnesses.length === 0 && !isLoopback(baseUrl))
    warnings.push(
      'TLOG_WITNESSES is not set: nobody outside confirms the transparency log, so owners cannot notice when this service shows different logs to different people. Ask somebody else to run a witness and set TLOG_WITNESSES: docs/audit/witness.md',
    )
  if (trustedProxies?.some(([, bits]) => bits === 0))
    warnings.push(
      'TRUSTED_PROXIES names every address: everybody can choose the address that limits count and logs show. Name the address of the proxy alone',
    )
  if (metrics !== null && isReachableAnywhere(metrics.host))
    warnings.push(
      `METRICS_HOST is ${metrics.host}: everybody who reaches port ${metrics.port} of this machine can read the metrics, without a password. Set it to an address of a private network, or let the firewall admit only your Prometheus`,
    )
  return warnings
}

function secretsOf(
  { BEAK_SECRET, BEAK_SECRET_PREVIOUS }: z.infer<typeof environment>,
  dataDir: string,
): Secrets {
  if (BEAK_SECRET === undefined) return storedSecrets(dataDir)
  const previousSecret = BEAK_SECRET_PREVIOUS === undefined ? null : Buffer.from(BEAK_SECRET_PREVIOUS)
  return { secret: Buffer.from(BEAK_SECRET), previousSecret }
}

function addressOf(baseUrl: string): Pick<Config, 'baseUrl' | 'origin' | 'basePath'> {
  const result = readBaseUrl(baseUrl)
  if ('fault' in result) throw new ConfigurationError([`BASE_URL: ${result.fault}`])
  return result
}

/** Parses an environment. Empty values count as unset. Throws `ConfigurationError` with every fault. */
export function parseConfig(source: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(
    Object.entries(source).filter(([, value]) => value !== ''),
  ) as NodeJS.ProcessEnv
  const faults: string[] = []
  findUnknown(given, Object.keys(environment.shape), faults)
  findQuoted(given, Object.keys(environment.shape), faults)
  const env = withFiles(given, faults)
  const parsed = environment.safeParse(env)
  if (!parsed.success)
    faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const limits = parseLimits(env, faults)
  const trustedProxies = parseProxies(env.TRUSTED_PROXIES ?? '', faults)
  const signUp = parseSignUp(env.SIGNUP ?? 'open', faults)
  const channelHosts = parseChannelHosts(env.CHANNEL_HOSTS ?? '', faults)
  const smsCountries = parseCountries(env.SMS_COUNTRIES, faults)
  const tlogWitnesses = parseWitnesses(env.TLOG_WITNESSES ?? '', faults)
  const chosenRoles = parseRoles(env.BEAK_ROLES ?? roles.join(), faults)
  findMisfits(env, faults)
  if (!parsed.success || faults.length > 0) throw new ConfigurationError(faults)
  const value = parsed.data
  const address = addressOf(value.BASE_URL ?? `http://localhost:${value.PORT}`)
  const { baseUrl } = address
  const dataDir = resolve(/* turbopackIgnore: true */ value.DATA_DIR)
  const sender = value.MAIL_FROM ?? { name: null, address: `beak@${new URL(baseUrl).hostname}` }
  return {
    port: value.PORT,
    ...address,
    dataDir,
    databaseUrl: value.DATABASE_URL ?? null,
    databaseWait: value.DATABASE_WAIT,
    listenerUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL ?? null,
    redis: value.REDIS_URL
      ? { url: value.REDIS_URL }
      : value.UPSTASH_REDIS_REST_URL
        ? { restUrl: value.UPSTASH_REDIS_REST_URL, restToken: String(value.UPSTASH_REDIS_REST_TOKEN) }
        : null,
    smtp: value.SMTP_URL ? { url: value.SMTP_URL, from: sender.address } : null,
    mailName: sender.name ?? 'Beak',
    hasOutbox: isLoopback(baseUrl),
    twilio: value.TWILIO_ACCOUNT_SID
      ? {
          accountSid: value.TWILIO_ACCOUNT_SID,
          authToken: String(value.TWILIO_AUTH_TOKEN),
          from: String(value.TWILIO_FROM),
          apiUrl: value.TWILIO_API_URL.replace(/\/$/, ''),
        }
      : null,
    smsDailyMax: value.SMS_DAILY_MAX,
    smsCountries,
    ...secretsOf(value, dataDir),
    hasStoredSecret: value.BEAK_SECRET === undefined,
    trustedProxies,
    webhookAllowPrivate: value.WEBHOOK_ALLOW_PRIVATE,
    channelHosts,
    programDocuments: value.PROGRAM_DOCUMENTS,
    siteRegistration: value.SITE_REGISTRATION,
    supportEmail: value.SUPPORT_EMAIL ?? `support@${new URL(baseUrl).hostname}`,
    signUp,
    tlogWitnesses,
    logLevel: value.LOG_LEVEL,
    roles: chosenRoles,
    processes: value.WEB_CONCURRENCY,
    metrics: value.METRICS_PORT === undefined ? null : { host: value.METRICS_HOST, port: value.METRICS_PORT },
    limits,
  }
}

/** Reads the configuration from `env` and not from the environment. Call it before anything reads the configuration. For `beak dev`. */
export function configure(env: NodeJS.ProcessEnv): Config {
  return singleton('config', () => parseConfig(env))
}

/** Returns the configuration of this process. */
export function config(): Config {
  return singleton('config', () => parseConfig(process.env))
}

function replaceConfig(change: Partial<Config>): void {
  const changed = { ...config(), ...change }
  const next = { ...changed, ...addressOf(changed.baseUrl) }
  forget('config')
  singleton('config', () => next)
}

/** Replaces parts of the configuration of this process. For tests. @internal */
export function useConfig(change: Partial<Config>): void {
  replaceConfig(change)
}

/** Reads the secrets of the data folder again, after a command of the operator changed them. */
export function reloadStoredSecrets(): void {
  replaceConfig(storedSecrets(config().dataDir))
}
