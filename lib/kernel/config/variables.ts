/** The names of the environment: secrets in files, and names that are not ours but look as if they were. */
import { readFileSync } from 'node:fs'
import { editsBetween } from '@beak/decision/guess'
import { dailyLimitGroups, limitGroups, pageLimitGroups } from './limits'

/** Variables whose value is a secret. Each can be in a file, which `<NAME>_FILE` names. */
const secrets = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'UPSTASH_REDIS_REST_TOKEN',
  'SMTP_URL',
  'TWILIO_AUTH_TOKEN',
  'BEAK_SECRET',
  'BEAK_SECRET_PREVIOUS',
]

/** Variables of the clients, of the build and of the tests, which may be set beside those of the service. */
const others = [
  'BEAK_URL',
  'BEAK_TOKEN',
  'BEAK_KEY',
  'BEAK_AGENT_ID',
  'BEAK_TARGET',
  'BEAK_HANDSHAKE_TOKEN',
  'BEAK_WEBHOOK_SECRET',
  'BEAK_ALLOW_TEST',
  'BEAK_APPROVER_PAGE',
  'BEAK_BASE_PATH',
  'BEAK_BROWSER',
  'BEAK_SCREENSHOTS',
]

/** What Kubernetes and Docker set in a container beside a service whose name begins with "beak". */
const orchestrated =
  /^BEAK_(?:[A-Z0-9_]+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/

const shortestName = 8
const farthestEdits = 2

const fileOf = (name: string) => `${name}_FILE`

/** Returns the environment with the content of the files that `<NAME>_FILE` names, without a line break at their end. */
export function withFiles(env: NodeJS.ProcessEnv, faults: string[]): NodeJS.ProcessEnv {
  const read = { ...env }
  for (const name of secrets) {
    const path = env[fileOf(name)]
    if (path === undefined) continue
    if (env[name] !== undefined) faults.push(`${name} and ${fileOf(name)}: set only one of them`)
    try {
      read[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (read[name] === '') faults.push(`${fileOf(name)}: the file ${path} is empty`)
    } catch (error) {
      faults.push(`${fileOf(name)}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return read
}

/**
 * Adds a fault for each name that is probably a misspelled one of ours: eight or more characters, two edits away at most. With such a
 * name, a service would start with another database or without mail. Unknown names with `BEAK_` are faults too.
 */
export function findUnknown(env: NodeJS.ProcessEnv, known: string[], faults: string[]): void {
  const groups = [...limitGroups, ...pageLimitGroups, ...dailyLimitGroups]
  const ours = [...known, ...secrets.map(fileOf), ...groups.map((group) => `LIMIT_${group.toUpperCase()}`)]
  const accepted = new Set([...ours, ...others])
  for (const name of Object.keys(env)) {
    if (accepted.has(name) || orchestrated.test(name)) continue
    // Names that differ more in length are farther apart.
    const isNear = (one: string) =>
      Math.abs(one.length - name.length) <= farthestEdits && editsBetween(one, name) <= farthestEdits
    const meant = name.length < shortestName ? undefined : ours.find(isNear)
    if (meant !== undefined) faults.push(`${name}: did you mean ${meant}? Rename this variable, or unset it`)
    else if (name.startsWith('BEAK_'))
      faults.push(`${name}: Beak has no such variable. Unset it; .env.example lists all`)
  }
}

/**
 * Adds a fault for each value that is in quotation marks. A shell takes them away, and other readers of a file of variables, such as
 * `docker run --env-file`, leave them in the value.
 */
export function findQuoted(env: NodeJS.ProcessEnv, known: string[], faults: string[]): void {
  for (const name of [...known, ...secrets.map(fileOf)])
    if (/^(["']).*\1$/s.test(env[name] ?? ''))
      faults.push(`${name}: the value has quotation marks at both ends. Write it without them`)
}
