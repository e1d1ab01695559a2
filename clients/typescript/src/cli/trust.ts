/** Which keys the checks trust, and how a check refuses. Without `--offline`, no key comes from the file that is checked. */
import type { KeySet, KeySource } from '../verify'
import type { VerifierKey } from '../verify/log/verifier-key'
import { Exit, exitCodes, usageFault } from './exit'
import { readJson } from './files'
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
  const { KeySet } = await import('../verify/keys')
  const { success, data } = KeySet.safeParse(await readJson(place))
  if (!success) throw usageFault(`${place} is not a key set (/.well-known/jwks.json).`)
  return data
}

/** Returns the keys of a service, fetched when they are needed. */
export async function keysAt(issuer: string): Promise<KeySource> {
  const { remoteKeys } = await import('../verify/remote-keys')
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
  const { pinnedKeys } = await import('../verify/log-keys')
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
