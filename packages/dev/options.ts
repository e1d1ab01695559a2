/** The command line of `beak dev`, and the environment of the service that it starts. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isLoopback } from '@/lib/kernel/config'

export const usage = `Usage: beak-dev [--port <number>] [--data <folder>] [--json]

Starts a Beak for the tests of your program, on this computer only: the API with a database of its own, an agent with its key, and test
accounts that answer requests. It has no pages. Everything that it signs says "test": true.

  --port <number>   Default: 4010 or, when that is taken, a free one. 0 is a free one.
  --data <folder>   Keep the data here. Default: a new folder that is deleted at the end.
  --json            Print one line of JSON with the address, the key and the accounts.

It ends at Ctrl+C, at SIGTERM, and when the program that reads from and writes to it ends.`

/** A fault of the command line or the environment. The message can be printed as it is. */
export class DevFault extends Error {}

export interface DevOptions {
  /** Null: 4010 or, when that is taken, a free one. */
  port: number | null
  /** Null: a new folder that is deleted at the end. */
  data: string | null
  isJson: boolean
  isHelp: boolean
}

/** Parses the words of the command line. Throws `DevFault`. */
export function parseOptions(words: string[]): DevOptions {
  const { port, data, json, help } = valuesOf(words)
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw new DevFault(`--port must be a number from 0 to 65535.\n\n${usage}`)
  return {
    port: port === undefined ? null : Number(port),
    data: data === undefined ? null : resolve(data),
    isJson: json ?? false,
    isHelp: help ?? false,
  }
}

function valuesOf(args: string[]) {
  const options = {
    port: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new DevFault(`${(error as Error).message}\n\n${usage}`)
  }
}

/** Variables that belong to a service for real people. */
const forRealServices = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'UPSTASH_REDIS_REST_URL',
  'SMTP_URL',
  'TWILIO_ACCOUNT_SID',
  'BEAK_SECRET',
  'TRUSTED_PROXIES',
  'TLOG_WITNESSES',
]

/** Throws `DevFault` when the environment belongs to a service for real people. */
export function refuseRealEnvironment(env: NodeJS.ProcessEnv): void {
  const found = forRealServices.filter((name) => env[name])
  if (env.NODE_ENV === 'production') found.push('NODE_ENV=production')
  if (env.BASE_URL && !(URL.canParse(env.BASE_URL) && isLoopback(env.BASE_URL))) found.push('BASE_URL')
  if (found.length === 0) return
  const without = found.map((name) => `-u ${name.replace(/=.*/, '')}`).join(' ')
  throw new DevFault(
    `This looks like the environment of a real service: ${found.join(', ')}.\n"beak dev" has a database of its own and uses none of these. Start it without them: env ${without} …`,
  )
}

const limitNames = [
  'METRICS',
  'SIGNUP',
  'STATUS',
  'NEWSLETTER',
  'SUPPORT',
  'PAGEVIEW',
  'SIGNIN',
  'OTP',
  'ANONYMOUS',
  'AUTHENTICATED',
  'TLOG',
  'ASK',
  'CODE',
  'STRANGERS',
].map((name) => `LIMIT_${name}`)
/** A suite of tests never reaches it. */
const noLimit = '1000000/1000000'

/**
 * Returns the environment of the service. Of the given one it takes only the limits, whether webhooks may go to this computer, and the level
 * of the log, so no variable opens the service to others.
 */
export function testEnvironment(
  env: NodeJS.ProcessEnv,
  { port, dataDir, isJson }: { port: number; dataDir: string; isJson: boolean },
): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(limitNames.map((name) => [name, env[name] || noLimit])),
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    DATA_DIR: dataDir,
    BEAK_ROLES: 'api,worker',
    WEBHOOK_ALLOW_PRIVATE: env.WEBHOOK_ALLOW_PRIVATE || 'true',
    // With --json, standard output has only the line of JSON.
    LOG_LEVEL: isJson ? 'silent' : env.LOG_LEVEL || 'error',
    NODE_ENV: 'test',
  }
}
