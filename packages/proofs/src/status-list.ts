/** Bitstring status lists (W3C Bitstring Status List v1.0): signed lists with one bit for each certificate. */
import * as z from 'zod'
import { bytesOfBase64url } from './bytes'
import { type Fetch, fetchText, reasonOf } from './fetch-text'
import { readLimited } from './read-limited'
import { checkTimes, openToken, Refusal, type VerifyOptions } from './token'

/** Lists are at least this long, so that a fetched list does not show which certificate is checked. */
const bitsMin = 131_072
/** A list that unpacks to more bytes is refused. */
const unpackedMax = 2 ** 17
const fetchLimits = { bytesMax: 2 ** 18, timeoutMs: 10_000 }
/** A list counts for at most this time, whatever it says: an old one does not show later revocations. */
const validMsMax = 600_000
/** A fetched list is kept for its own `ttl`, at most for this time. */
const keptMsMax = 60_000

const StatusList = z.looseObject({
  iss: z.string(),
  issuer: z.string(),
  id: z.string(),
  type: z.array(z.string()),
  validFrom: z.iso.datetime({ offset: true }),
  validUntil: z.iso.datetime({ offset: true }),
  credentialSubject: z.looseObject({
    type: z.literal('BitstringStatusList'),
    statusPurpose: z.literal('revocation'),
    encodedList: z.string().startsWith('u'),
    ttl: z.int().min(0),
  }),
})

/** Where the status of a certificate is. */
export interface StatusPlace {
  /** The address of the list, which is also its id. */
  url: string
  bit: number
}

/**
 * Tells whether the bit of a certificate is set. `given` is a list that the caller has; else the list is fetched. Throws `Refusal` with
 * `status_unavailable` or `status_invalid`, so a certificate is never valid without its status.
 */
export async function isRevoked(
  place: StatusPlace,
  given: string | undefined,
  options: VerifyOptions & { now: Date },
): Promise<boolean> {
  const fetched = given === undefined ? await fetchList(place.url, options) : null
  const { ttl, bits } = await openList(fetched?.text ?? given ?? '', place.url, options)
  if (fetched) fetched.keep(ttl)
  if (bits.length * 8 < bitsMin || place.bit >= bits.length * 8)
    throw new Refusal('status_invalid', 'The status list is too short.')
  return (((bits[place.bit >> 3] ?? 0xff) >> (7 - (place.bit & 7))) & 1) === 1
}

async function openList(
  token: string,
  url: string,
  options: VerifyOptions & { now: Date },
): Promise<{ ttl: number; bits: Uint8Array }> {
  try {
    const { claims } = await openToken('status list', token, 'vc+jwt', StatusList, options)
    if (
      claims.issuer !== options.issuer ||
      claims.id !== url ||
      !claims.type.includes('BitstringStatusListCredential')
    )
      throw new Refusal('status_invalid', 'This is not the status list that the certificate names.')
    const from = new Date(claims.validFrom)
    const until = Math.min(Date.parse(claims.validUntil), from.getTime() + validMsMax)
    checkTimes('status list', options.now, from, new Date(until))
    const { encodedList, ttl } = claims.credentialSubject
    return { ttl, bits: await unpack(encodedList.slice(1)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      error.reason === 'keys_unavailable' ? 'status_unavailable' : 'status_invalid',
      error.message,
    )
  }
}

/** Unpacks a gzipped bitstring in base64url. Throws `Refusal` for other bytes, and for more than `unpackedMax` bytes. */
async function unpack(encoded: string): Promise<Uint8Array> {
  const packed = bytesOfBase64url(encoded)
  if (packed === null)
    throw new Refusal('status_invalid', 'The bits of the status list are not canonical base64url.')
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  // Unpacking fails for bytes that are not gzip, or that are cut.
  const bits = await readLimited(unpacked, unpackedMax).catch(() => null)
  if (bits === null) throw new Refusal('status_invalid', 'The bits of the status list cannot be unpacked.')
  return bits
}

interface FetchedList {
  text: string
  /** Keeps the list for `ttl` milliseconds, after its signature was verified. */
  keep: (ttl: number) => void
}

const listsMax = 100
const caches = new WeakMap<Fetch, Map<string, { text: string; from: number; until: number }>>()

async function fetchList(url: string, { fetch = globalThis.fetch }: VerifyOptions): Promise<FetchedList> {
  const cache = caches.get(fetch) ?? new Map<string, { text: string; from: number; until: number }>()
  caches.set(fetch, cache)
  const from = Date.now()
  const kept = cache.get(url)
  // A clock that was set back makes the list too old.
  if (kept && kept.from <= from && from < kept.until) return { text: kept.text, keep: () => undefined }
  try {
    const text = await fetchText(url, fetch, fetchLimits)
    const keep = (ttl: number) => {
      const [oldest] = cache.keys()
      if (cache.size >= listsMax && oldest !== undefined) cache.delete(oldest)
      cache.set(url, { text, from, until: from + Math.min(ttl, keptMsMax) })
    }
    return { text, keep }
  } catch (error) {
    throw new Refusal('status_unavailable', `The status list cannot be read: ${reasonOf(error)}.`)
  }
}
