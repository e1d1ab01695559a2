/** Settings of a client and of a single call. */
import { didYouMean } from '@beak/decision/guess'
import { environmentOf } from '@beak/proofs/environment'
import type { Fetch } from '@beak/proofs/fetch-text'

/** What a client proves itself with: the session token of a person, or the beak key of an agent. */
export type Credential = { token: string } | { key: string }

/** Settings of a client. Give at most one of `token`, `key` and `auth`. */
export interface BeakOptions {
  /**
   * Address of the service, with its path if it has one: `https://beak.example` or `https://example.org/prod`. Default: `BEAK_URL` of the
   * environment.
   */
  url?: string | URL | undefined
  /** Session token of a person, from sign-up or sign-in. */
  token?: string | undefined
  /**
   * Beak key of an agent. Default: `BEAK_KEY` of the environment, if the address comes from there too and there is no other credential. So a
   * key of the environment goes to no other service.
   */
  key?: string | undefined
  /** Returns the credential for the next request, for instance a token that was renewed. Null: no credential. */
  auth?: (() => Credential | null | Promise<Credential | null>) | undefined
  /**
   * Accepts what a test service (`beak dev`) on this computer made, in every check of this client and of the guards that use it. Set it only in
   * tests. Default: whether `BEAK_ALLOW_TEST` of the environment is `1`, which counts only when `url` is a loopback address. No credential and no
   * answer can set it.
   */
  allowTest?: boolean | undefined
  /** Replaces the global `fetch`. */
  fetch?: Fetch | undefined
  /** Milliseconds until an attempt fails with `BeakTimeoutError`. Default: 30,000. A long poll adds the time that it asks for. */
  timeout?: number | undefined
  /** How often a failed call is repeated where repeating is safe. Default: 2. */
  retries?: number | undefined
  /** The longest wait before a repetition, in milliseconds. A longer `Retry-After` is not waited for. Default: 30,000. */
  maxRetryDelay?: number | undefined
}

const optionNames = [
  'url',
  'token',
  'key',
  'auth',
  'allowTest',
  'fetch',
  'timeout',
  'retries',
  'maxRetryDelay',
] as const satisfies (keyof BeakOptions)[]

/** Settings with an address. `ofEnvironment`: the key is one of the environment, and goes only to the address there. */
export interface ResolvedOptions extends BeakOptions {
  url: string | URL
  ofEnvironment: boolean
}

/**
 * Returns the settings, with what the environment adds.
 *
 * @throws TypeError for an unknown setting, for more than one credential, and when there is no address
 */
export function resolveOptions(given: BeakOptions): ResolvedOptions {
  for (const name of Object.keys(given))
    if (!optionNames.some((known) => known === name))
      throw new TypeError(
        `Beak has no option ${name}.${didYouMean(name, optionNames)} The options are ${optionNames.join(', ')}.`,
      )
  const { url, token, key, auth } = given
  const credentials = [token, key, auth].filter((one) => one !== undefined)
  if (credentials.length > 1) throw new TypeError('Give only one of token, key and auth.')
  if (url !== undefined) return { ...given, url: webAddress(url, 'url'), ofEnvironment: false }
  const [BEAK_URL, BEAK_KEY] = [environmentOf('BEAK_URL'), environmentOf('BEAK_KEY')]
  if (BEAK_URL === undefined)
    throw new TypeError('url is missing. Pass the address of the service as url, or set BEAK_URL.')
  const address = webAddress(BEAK_URL, 'BEAK_URL')
  return credentials.length === 0 && BEAK_KEY !== undefined
    ? { ...given, url: address, key: BEAK_KEY, ofEnvironment: true }
    : { ...given, url: address, ofEnvironment: false }
}

/** Does not repeat the text in the error: it may be a key in the wrong place. */
function webAddress(text: string | URL, name: string): URL {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new TypeError(`${name} is not the address of a service. It must begin with https:// or http://.`)
  return new URL(text)
}

/** Settings of a single call. */
export interface CallOptions {
  /** Aborts the call. The call then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Replaces the client's `timeout`. */
  timeout?: number | undefined
  /** Replaces the client's `retries`. */
  retries?: number | undefined
  /**
   * Key under which the service stores the answer of this call, so that a repetition has no second effect. Default: a random key for each
   * call. A key of your own, such as the id of your job, also covers a repetition after a crash of your program. A use of a permission that
   * an earlier call with your key has spent is refused as `consumed`.
   */
  idempotencyKey?: string | undefined
}
