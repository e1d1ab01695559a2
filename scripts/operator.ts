/**
 * `npm run operator -- <command>`: what only the operator of the service may do. It works on the database itself, so no
 * credential can reach it from outside.
 */
import { z } from 'zod'
import { closeDatabase, openDatabase } from '@/lib/db/client'
import { DataDirLocked } from '@/lib/db/pglite'
import { setLimit } from '@/lib/domain/identity/set-limit'
import { listKeys } from '@/lib/domain/platform/list-keys'
import { replaceSignatures } from '@/lib/domain/platform/replace-signatures'
import { reseal, rotateSecret, SecretStillNeeded } from '@/lib/domain/platform/reseal'
import { DistrustRefused, distrustKey } from '@/lib/infrastructure/keys/distrust'
import { RetirementRefused, retireKey, rotateKeys, rotateLogKey } from '@/lib/infrastructure/keys/rotate'
import { prepareKeys } from '@/lib/infrastructure/keys/signing-keys'
import { readClock } from '@/lib/kernel/clock'
import { ConfigurationError } from '@/lib/kernel/config'
import { systemContext } from '@/lib/kernel/context'
import { Failure } from '@/lib/kernel/failures'
import { SealedElsewhere } from '@/lib/kernel/secrets'

const usage = `Usage: npm run operator -- <command>

  list-keys                           show every signing key, and what it does
  rotate-keys                         make a new signing key; it signs after two minutes
  retire-key <kid>                    destroy the private half of an old signing key
  distrust-key <kid> --from <time>    refuse a stolen key, end its sessions and sign its certificates again
  rotate-log-key                      make a new key for the transparency log; it signs at once
  rotate-secret                       make a new secret in DATA_DIR and seal everything with it
  reseal                              seal everything with the current BEAK_SECRET
  limit <DUCK-…> <rate>/<burst>       give an account a limit of its own: requests a minute, and at once
  limit <DUCK-…> default              give it the configured limit again
`

class UsageError extends Error {}

/** Checks its arguments and gives the work, which is done once the database is open. */
type Command = (...args: string[]) => () => Promise<string>

function limit(ducklingId = '', value = ''): () => Promise<string> {
  const [, rate, burst] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(value) ?? []
  if (!ducklingId.startsWith('DUCK-')) throw new UsageError('limit wants the id of a duckling, DUCK-….')
  if (value !== 'default' && rate === undefined)
    throw new UsageError('limit wants <rate>/<burst>, for instance 6000/1000, or default.')
  const applied = rate === undefined ? null : { perMinute: Number(rate), burst: Number(burst) }
  return async () => {
    await setLimit(systemContext(readClock()), ducklingId, applied)
    return applied === null
      ? `${ducklingId} has the configured limit again.`
      : `${ducklingId} may send ${applied.perMinute} requests a minute, ${applied.burst} at once.`
  }
}

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).transform((text) => new Date(text))

function distrust(...args: string[]): () => Promise<string> {
  // Not parseArgs: a kid may begin with a hyphen.
  const place = args.findIndex((arg) => arg === '--from' || arg.startsWith('--from='))
  const [option = '', value = ''] = place < 0 ? [] : args.slice(place)
  const isOneWord = option.startsWith('--from=')
  const [kid, ...others] = args.filter((_, n) => place < 0 || n < place || n > place + (isOneWord ? 0 : 1))
  if (!kid || others.length > 0) throw new UsageError('distrust-key wants one kid, as list-keys shows it.')
  const from = time.safeParse(isOneWord ? option.slice('--from='.length) : value)
  if (!from.success)
    throw new UsageError(
      'distrust-key wants --from <time>: since when somebody else may have had the key, in ISO 8601 with a time zone, for instance 2026-11-20T08:00:00Z.',
    )
  return () => distrustAndReplace(kid, from.data)
}

async function distrustAndReplace(kid: string, from: Date): Promise<string> {
  const now = readClock()
  const outcome = await distrustKey(kid, from, now)
  const since = outcome.from.toISOString()
  if (outcome.isRepeated) say(`${kid} was distrusted before, since ${since}. Finishing what is left.`)
  else say(`${kid} is distrusted since ${since}. No instance accepts it from the next request on.`)
  if (outcome.newKid !== null) say(`The new key ${outcome.newKid} signs from now on.`)
  if (outcome.purpose === 'log')
    return 'It was a key of the transparency log. The log signs its next checkpoint with another key.'
  await replaceSignatures(kid, now, (name, done, total) => {
    const did = name === 'sessions' ? 'ended' : 'signed again'
    say(`${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${name} ${did}`)
  })
  return 'Done. Receipts and audit heads are signed with a trusted key when they are read again.'
}

const commands: Record<string, Command> = {
  'list-keys': () => () => listKeys(readClock()),
  'rotate-keys': () => async () =>
    `The new signing key is ${await rotateKeys(readClock())}. It is published now and signs in two minutes.`,
  'retire-key': (kid) => {
    if (!kid) throw new UsageError('retire-key wants a kid, as /.well-known/jwks.json shows it.')
    return async () => {
      await retireKey(kid, readClock())
      return `${kid} can no longer sign. Its public half stays published.`
    }
  },
  'distrust-key': distrust,
  'rotate-log-key': () => async () =>
    `The new key of the log is ${await rotateLogKey(readClock())}. It signs from now on; the old public keys stay published.`,
  'rotate-secret': () => () => rotateSecret(say),
  reseal: () => () => reseal(say),
  limit,
}

/** Commands that work without the private halves, which may be sealed with a secret that is not known here. */
const withoutKeys = new Set(['list-keys', 'rotate-secret', 'reseal'])

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function run([name = '', ...args]: string[]): Promise<string> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`)
  const work = command(...args)
  await openDatabase()
  try {
    if (!withoutKeys.has(name)) await prepareKeys()
    return await work()
  } finally {
    await closeDatabase()
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`
  if (error instanceof DataDirLocked)
    return `${error.message}\nThe embedded database serves one process at a time: stop the server, run this again, and start it again.`
  const isExpected = [
    ConfigurationError,
    RetirementRefused,
    DistrustRefused,
    SecretStillNeeded,
    SealedElsewhere,
    Failure,
  ].some((kind) => error instanceof kind)
  return isExpected && error instanceof Error
    ? error.message
    : String(error instanceof Error ? error.stack : error)
}

try {
  say(await run(process.argv.slice(2)))
  process.exit(0)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}
