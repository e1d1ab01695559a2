/** Host names, in the form that permissions have as `audience`. */

import { isSameService } from '@beak/proofs/loopback'
import type { PermissionRequest } from './permission'

/** Characters that the URL parser would remove, decode or read as another part of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
const foreign = /[\u0000-\u0020\u007f/\\?#%@<>^|]/

/** An IP address, or a name that is not public: `localhost`, or without a dot. */
const notPublic = /^\[|(?:^|\.)(?:localhost|\d+)$|^[^.]*$/

/**
 * Returns the public host name of a `Host` header or of a setting: lower case, punycode, without port and trailing dot. Null for anything else, also
 * for an IP address and for `localhost`, because no permission can name those.
 */
export function publicHostName(text: string): string | null {
  if (foreign.test(text) || !URL.canParse(`http://${text}`)) return null
  const name = new URL(`http://${text}`).hostname.replace(/\.$/, '')
  return notPublic.test(name) ? null : name
}

/** Returns the public host name of a web address, or null as `publicHostName` does. Throws `TypeError` for an address with another host at first sight. */
function publicHostOf(address: string | URL): string | null {
  const url = new URL(address)
  const isPlain = !/[\\@]/.test(String(address).split(/[?#]/)[0] ?? '')
  if (!/^https?:$/.test(url.protocol) || !isPlain)
    throw new TypeError(
      'The address must begin with https:// or http://, without a user name and backslashes.',
    )
  return publicHostName(url.host)
}

/** Reads what a service demands of an agent (the 401 of a guard), before the agent asks a person for it. */

/** What a service demands. Pass it on to `requestPermission`, with a `target`. */
export interface RequiredPermission
  extends Pick<PermissionRequest, 'action' | 'require' | 'challenge' | 'code_hash'> {
  params: Record<string, unknown>
  /** One use. */
  scope: 'limited'
  /** The host that was called. Undefined when it has no public name, such as `localhost`. */
  audience: string | undefined
  /** Address of the Beak whose permissions the service accepts. */
  issuer: string
}

/** An agent must not ask for what a service demands. Nothing was sent to anybody. */
export class RequiredPermissionError extends Error {
  override readonly name = 'RequiredPermissionError'
  /**
   * `malformed`: no guard gives such an answer. `audience`: it names another host than the called one. `issuer`: it names another Beak
   * than the client.
   */
  readonly reason: 'malformed' | 'audience' | 'issuer'
  /** The host or the address that the answer names, or null. */
  readonly named: string | null

  constructor(reason: RequiredPermissionError['reason'], message: string, named: string | null = null) {
    super(message)
    this.reason = reason
    this.named = named
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const orMissing = (is: (value: unknown) => boolean) => (value: unknown) => value === undefined || is(value)

/** What each member of `required` must be. By hand: a program that only asks does not load a library for schemas. */
const members: Record<keyof RequiredPermission, (value: unknown) => boolean> = {
  action: isText,
  params: isObject,
  // A service that wants more than one use says so to a person, not to a program.
  scope: (value) => value === 'limited',
  audience: orMissing(isText),
  issuer: isText,
  require: orMissing((value) => value === 'signed'),
  challenge: orMissing(isText),
  code_hash: orMissing(isText),
}

/** Returns the known members of `required`. Throws for an answer that no guard sends. */
function readRequired(answer: unknown): RequiredPermission {
  const required = isObject(answer) ? answer.required : undefined
  const malformed = (place: string) =>
    new RequiredPermissionError('malformed', `This is not a guard's answer: ${place} is missing or invalid.`)
  if (!isObject(answer)) throw malformed('The body')
  if (!isObject(required)) throw malformed('required')
  for (const [name, is] of Object.entries(members))
    if (!is(required[name])) throw malformed(`required.${name}`)
  const known = Object.keys(members).filter((name) => required[name] !== undefined)
  return Object.fromEntries(known.map((name) => [name, required[name]])) as unknown as RequiredPermission
}

/**
 * Returns what a service demands in `required` of its answer 401 or 403. The answer must name the host that was called as `audience`, so that no
 * service gets a permission that is meant for another one. Follow no redirects when you call the service: a redirect would carry the permission to
 * another host.
 *
 * @param address the address that your program called
 * @param answer the body of the answer
 * @throws RequiredPermissionError when no guard gives such an answer, or it names another host
 * @throws TypeError when `address` is not a plain web address
 *
 * @example
 * const answer = await fetch(address, { method: 'POST', redirect: 'error' })
 * const required = requiredPermission(address, await answer.json())
 * await beak.requestPermission({ target, ...required })
 */
export function requiredPermission(address: string | URL, answer: unknown): RequiredPermission {
  const called = publicHostOf(address)
  const { audience, ...required } = readRequired(answer)
  const isSame = audience === undefined ? called === null : publicHostName(audience) === audience
  if (!isSame || (audience ?? null) !== called) {
    const host = called ?? new URL(address).hostname
    throw new RequiredPermissionError(
      'audience',
      `The service at ${host} wants a permission for ${audience === undefined ? 'no host' : JSON.stringify(audience)}. Its audience must be the host that was called.`,
      audience ?? null,
    )
  }
  return { ...required, audience }
}

/** Throws `RequiredPermissionError` when `issuer` is not the service at `url`, so that no credential is sent because of a name in an answer. */
export function requireIssuer(url: string, issuer: string): void {
  if (isSameService(url, issuer)) return
  throw new RequiredPermissionError(
    'issuer',
    `The service accepts permissions of ${JSON.stringify(issuer)}, and this client is set up for ${url}. Nothing was sent. If you have an account there and trust it, ask with a client for that address.`,
    issuer,
  )
}
