/** What all checks of tokens share: their options, their result, and the checks of signature, issuer and times. */
import type * as z from 'zod'
import type { Fetch } from './fetch-text'
import { type JwsFault, openJws } from './jws'
import { type KeySet, type KeySource, sourceOf } from './keys'
import { remoteKeys } from './remote-keys'
import { type TestOptions, testCredential, testMessage } from './test-mark'

export interface VerifyOptions extends TestOptions {
  /** The address of the service that must have signed, such as `https://beak.example`, without a slash at its end. */
  issuer: string
  /** Trusted keys. By default the key set of the issuer, which is fetched and kept for five minutes. */
  keys?: KeySet | KeySource | undefined
  /** The time of the check. Default: now. */
  now?: Date | undefined
  /** Fetches key sets and status lists. Default: `globalThis.fetch`. */
  fetch?: Fetch | undefined
}

/** Why a token is not valid. `keys_unavailable` may end by itself; all others stay for the same token, except `not_yet_valid`. */
export type TokenReason =
  /** Not a token of this form: also another algorithm, and missing or invalid claims. */
  | 'malformed'
  /** A token of another kind. */
  | 'wrong_type'
  | 'unknown_key'
  /** The key was stolen, so its signatures are not valid any more. */
  | 'distrusted_key'
  | 'keys_unavailable'
  | 'wrong_signature'
  | 'wrong_issuer'
  | 'wrong_audience'
  | 'not_yet_valid'
  | 'expired'
  /** A test service made it, and `allowTest` is not set. */
  | 'test_credential'

/** The result of a check. `facts` exist only when every check passed. */
export type Verdict<Facts, Reason extends string> =
  | { ok: true; facts: Facts }
  /** `message` is a sentence for people. Programs read `reason`. */
  | { ok: false; fault: { reason: Reason; message: string } }

/** Thrown inside a check for invalid input, and caught by `verdictOf`. */
export class Refusal<Reason extends string> extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly reason: Reason,
    message: string,
  ) {
    super(message)
  }
}

/** Returns what the check returns, or the reason of its `Refusal`. Other errors are thrown: Web Crypto lacks Ed25519. */
export async function verdictOf<Facts, Reason extends string>(
  check: Promise<Facts>,
): Promise<Verdict<Facts, Reason>> {
  try {
    return { ok: true, facts: await check }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ok: false, fault: { reason: error.reason, message: error.message } }
  }
}

/** The clock of the service may be this much ahead of ours. An end gets no such tolerance, so nothing is valid for longer. */
const skewMs = 30_000

/** Throws a `Refusal` unless `now` is between both times. */
export function checkTimes(what: string, now: Date, start: Date, end: Date | null): void {
  if (start.getTime() > now.getTime() + skewMs)
    throw new Refusal('not_yet_valid', `The ${what} is valid only from ${start.toISOString()}.`)
  if (end !== null && end.getTime() <= now.getTime())
    throw new Refusal('expired', `The ${what} expired at ${end.toISOString()}.`)
}

/** Returns the time of a NumericDate (RFC 7519): seconds since 1970. */
export const dateOf = (seconds: number) => new Date(seconds * 1000)

export interface OpenedToken<Claims> {
  claims: Claims
  /** The id of the key that signed. */
  kid: string
}

/**
 * Verifies the signature of a token, its type and the form of its claims, and that the issuer signed it. Throws `Refusal`. `what` names the
 * token in messages.
 */
export async function openToken<Claims extends { iss: string }>(
  what: string,
  token: string,
  typ: string,
  schema: z.ZodType<Claims>,
  options: VerifyOptions,
): Promise<OpenedToken<Claims>> {
  const opened = await openJws(token, typ, keysOf(options), options)
  if (!opened.ok) throw refusalOf(what, opened.fault)
  const { success, data, error } = schema.safeParse(opened.claims)
  if (!success) {
    const place = error.issues[0]?.path.join('.') || 'its content'
    throw new Refusal('malformed', `The ${what} is malformed: ${place} is missing or invalid.`)
  }
  if (data.iss !== options.issuer)
    throw new Refusal('wrong_issuer', `The ${what} was issued by ${data.iss}, not by ${options.issuer}.`)
  return { claims: data, kid: opened.kid }
}

function refusalOf(what: string, fault: JwsFault): Refusal<TokenReason> {
  switch (fault.kind) {
    case 'malformed':
      return new Refusal('malformed', `This is not a ${what}.`)
    case 'type':
      return new Refusal('wrong_type', `This is not a ${what}, but a token of the type ${fault.typ}.`)
    case 'signature':
      return new Refusal('wrong_signature', `The signature of the ${what} does not match: it was changed.`)
    case 'test':
      return new Refusal(testCredential, testMessage)
    case 'invalid_key':
      return new Refusal('unknown_key', `The key ${fault.kid} is not an Ed25519 key.`)
    case 'key': {
      const { found, kid } = fault
      if (found.state === 'unavailable') return new Refusal('keys_unavailable', `${found.cause}.`)
      if (found.state === 'unknown')
        return new Refusal(
          'unknown_key',
          `The ${what} was signed with a key that the service does not have: ${kid}.`,
        )
      const text = `The key that signed the ${what} was stolen. Since ${found.from} somebody else may have signed with it.`
      return new Refusal('distrusted_key', text)
    }
  }
}

const sharedMax = 100
const shared = new Map<string, KeySource>()

/** Returns the keys of the options, else the shared source of the issuer's keys. Throws `TypeError` for wrong options. */
export function keysOf({ issuer, keys, fetch }: VerifyOptions): KeySource {
  if (keys !== undefined) return sourceOf(keys)
  if (fetch !== undefined) return remoteKeys(issuer, { fetch })
  const known = shared.get(issuer)
  if (known !== undefined) return known
  const source = remoteKeys(issuer)
  const [oldest] = shared.keys()
  if (shared.size >= sharedMax && oldest !== undefined) shared.delete(oldest)
  shared.set(issuer, source)
  return source
}
