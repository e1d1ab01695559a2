/**
 * The bitstring status lists (W3C Bitstring Status List v1.0): list n has a bit for each certificate with index
 * n × 131,072 onwards, set once it is revoked or superseded. A list is built when asked for, at most every five seconds a
 * process, whatever the number of askers.
 */
import { gzipSync } from 'node:zlib'
import { db } from '@/lib/db/client'
import { isTrusted, refreshKeys } from '@/lib/infrastructure/keys/signing-keys'
import { kidOf, signToken } from '@/lib/infrastructure/keys/tokens'
import { minute, secondsAfter } from '@/lib/kernel/clock'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/context'
import { singleton } from '@/lib/kernel/singleton'
import { credentialsContext, statusListLength, statusListUrl } from './credential'

/** Seconds a built list is served for; also its `ttl` and what HTTP caches are told. */
export const statusListSeconds = 5

/**
 * Spec silent: a list is good for ten minutes, so that an old one, from before a revocation, cannot be shown for ever to a
 * verifier who is cut off from us.
 */
const validSeconds = 10 * minute

interface BuiltList {
  builtAt: Date
  credential: Promise<string>
  /** The key that signed it; null while it is being built. */
  kid: string | null
}

const builtLists = () => singleton('certs.status-lists', () => new Map<number, BuiltList>())

/** Indexes are 32-bit numbers, so there is no list above this. */
const lastList = Math.floor((2 ** 31 - 1) / statusListLength)

/** The number of a list from its address (`/.well-known/status-list/{n}`); null when there can be none of that name. */
export function parseListNumber(parameter: string): number | null {
  const [digits] = /^(0|[1-9]\d{0,4})$/.exec(parameter) ?? []
  return digits === undefined || Number(digits) > lastList ? null : Number(digits)
}

type ListContext = AnonymousContext<'status_list_missing'>

/** A status list as a signed credential. Throws `status_list_missing`; list 0 is always there. */
export async function getStatusList(context: ListContext, list: number | null): Promise<string> {
  if (list === null) throw context.fail('status_list_missing')
  const { now } = context
  await refreshKeys()
  const known = builtLists().get(list)
  if (known && isFresh(known, now)) return known.credential
  const built: BuiltList = { builtAt: now, credential: buildList(context, list), kid: null }
  builtLists().set(list, built)
  built.credential.then(
    (credential) => {
      built.kid = kidOf(credential)
    },
    () => {
      // What failed, or is not there yet, is not kept.
      if (builtLists().get(list) === built) builtLists().delete(list)
    },
  )
  return built.credential
}

/** Whether a list may be served at `now`: not too old, and not signed by a key that is distrusted meanwhile. */
function isFresh({ builtAt, kid }: BuiltList, now: Date): boolean {
  const age = (now.getTime() - builtAt.getTime()) / 1000
  return age >= 0 && age < statusListSeconds && (kid === null || isTrusted(kid))
}

async function buildList(context: ListContext, list: number): Promise<string> {
  const first = list * statusListLength
  const inList = { gte: first, lte: first + statusListLength - 1 }
  if (
    list > 0 &&
    !(await db().certificate.findFirst({ where: { statusIndex: inList }, select: { id: true } }))
  )
    throw context.fail('status_list_missing')
  const rows = await db().$queryRaw<{ bit: number }[]>`
    SELECT "statusIndex" - ${first}::int AS "bit" FROM "Certificate"
    WHERE "status" IN ('revoked', 'superseded') AND "statusIndex" >= ${inList.gte}::int AND "statusIndex" <= ${inList.lte}::int`
  return signList(list, encodeBits(rows.map(({ bit }) => bit)), context.now)
}

/** Multibase base64url (`u`) of the gzipped bitstring; the first bit is the left-most, so the highest of its byte. */
export function encodeBits(setBits: number[]): string {
  const bytes = new Uint8Array(statusListLength / 8)
  for (const bit of setBits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7))
  return `u${gzipSync(bytes).toString('base64url')}`
}

function signList(list: number, encodedList: string, now: Date): string {
  const url = statusListUrl(list)
  const claims = {
    '@context': [credentialsContext],
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: config().baseUrl,
    validFrom: now.toISOString(),
    validUntil: secondsAfter(now, validSeconds).toISOString(),
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList,
      ttl: statusListSeconds * 1000,
    },
  }
  return signToken('credential', claims, now)
}
