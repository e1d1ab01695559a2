/** The key set of a service, fetched from `/.well-known/jwks.json` and kept for some minutes. */
import { type Fetch, fetchText, reasonOf } from './fetch-text'
import { findKey, KeySet, type KeySource } from './keys'

export interface RemoteKeysOptions {
  fetch?: Fetch | undefined
  /** How long a key set is used. A stolen key may be accepted for this time after the service has distrusted it. Default: 300. */
  maxAgeSeconds?: number | undefined
  /** Default: 10,000. */
  timeoutMs?: number | undefined
  /** Returns milliseconds since any fixed time. Default: `Date.now`. */
  clock?: (() => number) | undefined
}

/** A key set has about 200 bytes for each key. */
const bytesMax = 64 * 1024
/** For a key that the key set lacks, the key set is fetched again at most once in this time. */
const refetchMs = 60_000

/**
 * Returns a source of the keys of a service. `issuer` is its address, as in `iss` of its tokens. Simultaneous callers share one fetch.
 * When the key set is too old and cannot be fetched, no key is trusted. Throws `TypeError` for an issuer whose keys cannot be fetched safely.
 */
export function remoteKeys(issuer: string, options: RemoteKeysOptions = {}): KeySource {
  const { fetch = globalThis.fetch, maxAgeSeconds = 300, timeoutMs = 10_000 } = options
  const clock = options.clock ?? Date.now
  const url = `${checkIssuer(issuer)}/.well-known/jwks.json`
  let kept: { set: KeySet; at: number } | null = null
  let triedAt = Number.NEGATIVE_INFINITY
  let loading: Promise<KeySet> | null = null

  const load = (): Promise<KeySet> => {
    triedAt = clock()
    loading ??= fetchKeySet(url, fetch, timeoutMs)
      .then((set) => {
        kept = { set, at: clock() }
        return set
      })
      .finally(() => {
        loading = null
      })
    return loading
  }
  /** Also false when the clock was set back. */
  const isWithin = (since: number, ms: number) => clock() - since >= 0 && clock() - since < ms

  return {
    async find(kid) {
      try {
        const fresh = kept !== null && isWithin(kept.at, maxAgeSeconds * 1000) ? kept.set : null
        const found = findKey(fresh ?? (await load()), kid)
        return found.state === 'unknown' && !isWithin(triedAt, refetchMs) ? findKey(await load(), kid) : found
      } catch (error) {
        return { state: 'unavailable', cause: `The keys of ${issuer} cannot be read: ${reasonOf(error)}` }
      }
    },
  }
}

async function fetchKeySet(url: string, fetch: Fetch, timeoutMs: number): Promise<KeySet> {
  const text = await fetchText(url, fetch, { bytesMax, timeoutMs })
  const { success, data } = KeySet.safeParse(JSON.parse(text))
  if (!success) throw new Error(`${url} is not a key set`)
  return data
}

/**
 * Returns the issuer. Throws `TypeError` for anything but an https address, because anybody on the way could replace keys that come over
 * plain http. Plain http is fine on the machine itself.
 */
function checkIssuer(issuer: string): string {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isLocal = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url?.hostname ?? '')
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)
  if (!isSafe || url === null || issuer.endsWith('/') || url.search + url.hash + url.username !== '')
    throw new TypeError(
      `The issuer must be the https address of the service without a slash at its end: ${issuer}`,
    )
  return issuer
}
