/** Which keys the checks trust, and how a check refuses. Without `--offline`, no key comes from the file that is checked. */
import type { CheckpointStore } from '@beak/proofs/log/checkpoint-store'
import type { LogPolicy } from '@beak/proofs/log/policy-file'
import type { VerifierKey } from '@beak/proofs/log/verifier-key'
import { testMessage } from '@beak/proofs/test-mark'
import { TestCredentialError } from '../errors'
import type { KeySet, KeySource } from '../verify'
import { Exit, exitCodes, usageFault } from './exit'
import { readJson, readText } from './files'
import type { Session } from './session'

export const jwks = {
  type: 'string',
  value: 'file or address',
  summary: 'The keys of the service that you trust. Default: fetched from the service.',
} as const
export const offline = {
  type: 'boolean',
  summary: 'Use only the keys in the file. This proves only that nothing was changed since it was signed.',
} as const
export const vkey = {
  type: 'string',
  multiple: true,
  value: 'key',
  summary: 'A key of the transparency log that you trust (/.well-known/tlog/vkeys). Repeat it.',
} as const

export const policy = {
  type: 'string',
  value: 'file',
  summary:
    'A log policy (C2SP tlog-policy) with logs, witnesses and a quorum, instead of --vkey, --witness and --quorum.',
} as const
export const rememberOption = {
  type: 'string',
  value: 'file',
  summary:
    'A file of your own, in which the newest checkpoint of the log is remembered. A log that contradicts it is refused. With --vkey or --policy.',
} as const

/** The options that name keys of the log. */
export interface LogKeyOptions {
  policy: string | undefined
  remember: string | undefined
  vkey: string[]
  witness: string[]
  quorum: string | undefined
}

/** Returns the log policy in the file that `--policy` names. Throws `Exit` for a file that cannot be used, and beside keys. */
export async function readLogPolicy(options: LogKeyOptions): Promise<LogPolicy | undefined> {
  const { policy: place, vkey: vkeys, witness: witnesses, quorum } = options
  if (place === undefined) return undefined
  if (vkeys.length > 0 || witnesses.length > 0 || quorum !== undefined)
    throw usageFault('Give either --policy, or --vkey, --witness and --quorum.')
  const text = await readText(place)
  const { parseLogPolicy } = await import('@beak/proofs/log/policy-file')
  try {
    const found = parseLogPolicy(text)
    if (found.logs.length > 0) return found
  } catch (error) {
    throw usageFault(`${place} is not a log policy. ${(error as Error).message}`)
  }
  throw usageFault(`${place} names no log.`, 'Add a line: log <vkey>. The keys are in <log>/vkeys.')
}

/** Returns the store in the file that `--remember` names. A checkpoint counts only when a key signed it that the caller trusts. */
export async function readRemembered(options: LogKeyOptions): Promise<CheckpointStore | undefined> {
  const { remember: place, policy: named, vkey: vkeys } = options
  if (place === undefined) return undefined
  if (named === undefined && vkeys.length === 0) throw usageFault('--remember needs --vkey or --policy.')
  const { fileCheckpoints } = await import('./checkpoint-file')
  return fileCheckpoints(place)
}

export interface Trust {
  keys: KeySet | KeySource | undefined
  /** The service that must have signed. Null: any. */
  issuer: string | null
  /** Where the keys come from. */
  source: 'service' | 'given' | 'file'
}

/** Returns which keys to trust: those of a file or address that the caller names, those of the service, or with `--offline` none. */
export async function trustOf(
  session: Session,
  options: { jwks: string | undefined; offline: boolean },
): Promise<Trust> {
  if (options.jwks !== undefined) {
    if (options.offline) throw usageFault('Give either --jwks or --offline.')
    return { keys: await readKeySet(options.jwks), issuer: null, source: 'given' }
  }
  if (options.offline) return { keys: undefined, issuer: null, source: 'file' }
  const issuer = await session.url()
  return { keys: reachable(await keysAt(issuer)), issuer, source: 'service' }
}

async function readKeySet(place: string): Promise<KeySet> {
  const { KeySet } = await import('@beak/proofs/keys')
  const { success, data } = KeySet.safeParse(await readJson(place))
  if (!success) throw usageFault(`${place} is not a key set (/.well-known/jwks.json).`)
  return data
}

/** Returns the keys of a service, fetched when they are needed. */
export async function keysAt(issuer: string): Promise<KeySource> {
  const { remoteKeys } = await import('@beak/proofs/remote-keys')
  try {
    return remoteKeys(issuer)
  } catch (error) {
    throw usageFault((error as Error).message, 'Or give the keys: --jwks <file>.')
  }
}

/** Ends the command when the keys cannot be read: then nothing was checked, and nothing was found invalid. */
function reachable(source: KeySource): KeySource {
  return {
    async find(kid) {
      const found = await source.find(kid)
      if (found.state === 'unavailable') throw new Exit(exitCodes.unreachable, `${found.cause}.`)
      return found
    },
  }
}

/** Parses keys of a log (`ed25519`) or of witnesses (`cosignature`) from the command line. */
export async function pinned(texts: readonly string[], type: VerifierKey['type']): Promise<VerifierKey[]> {
  const { pinnedKeys } = await import('@beak/proofs/log-keys')
  try {
    return pinnedKeys(texts, type)
  } catch (error) {
    throw usageFault((error as Error).message, 'Expected name+id+key, as in <log>/vkeys.')
  }
}

/** Ends with `notValid` and the reasons. */
export function refuse(session: Session, verdict: unknown, messages: string[], hint = ''): never {
  if (session.output.isJson) session.output.result(verdict, () => '')
  throw new Exit(exitCodes.notValid, messages.join('\n'), hint)
}

/** Returns the ending for what a test service made. */
export const testExit = () => new Exit(exitCodes.notValid, testMessage, 'In tests: --allow-test')

/** Ends with `notValid` when a test service answered and the caller does not allow that. Throws other errors as they are. */
export function notValidForTest(error: unknown): never {
  if (error instanceof TestCredentialError) throw testExit()
  throw error
}
