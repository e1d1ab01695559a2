/**
 * The bitstring status lists (W3C Bitstring Status List v1.0): list n has a bit for each certificate with index
 * n × 131,072 onwards, which is set when the certificate is revoked or superseded. A list is built on request, and each process
 * builds it at most once in five seconds.
 */
import { gzipSync } from 'node:zlib'
import { db } from '@/lib/db/client'
import { isTrusted, refreshKeys } from '@/lib/infrastructure/keys/signing-keys'
import { kidOf, signToken } from '@/lib/infrastructure/keys/tokens'
import { config } from '@/lib/kernel/config'
import type { AnonymousContext } from '@/lib/kernel/request/context'
import { minute, secondsAfter } from '@/lib/kernel/runtime/clock'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { credentialsContext, statusListLength, statusListUrl } from './credential'

/** How many seconds a list is served after it was built. Also its `ttl`. */
const statusListSeconds = 5

/**
 * A list is valid for ten minutes. Otherwise somebody could show a list from before a revocation to a verifier that cannot
 * reach us.
 */
const validSeconds = 10 * minute

interface BuiltList {
  builtAt: Date
  credential: Promise<string>
  /** The key that signed it; null while it is being built. */
  kid: string | null
}

const builtLists = () => singleton('certs.status-lists', () => new Map<number, BuiltList>())

/** The number of the last list. Indexes are 32-bit numbers. */
const lastList = Math.floor((2 ** 31 - 1) / statusListLength)

/** Reads the number of a list from its address (`/.well-known/status-list/{n}`). Returns null when no such list can exist. */
export function parseListNumber(parameter: string): number | null {
  const [digits] = /^(0|[1-9]\d{0,4})$/.exec(parameter) ?? []
  return digits === undefined || Number(digits) > lastList ? null : Number(digits)
}

type ListContext = AnonymousContext<'status_list_not_found'>

/** Returns a status list as a signed credential. Throws `status_list_not_found`. List 0 always exists. */
export async function getStatusList(context: ListContext, list: number | null): Promise<string> {
  if (list === null) throw context.fail('status_list_not_found')
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
      // A failed build, also of a list that does not exist yet, is not cached.
      if (builtLists().get(list) === built) builtLists().delete(list)
    },
  )
  return built.credential
}

/** Returns whether a list can be served: it is not too old, and the key that signed it is trusted. */
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
    throw context.fail('status_list_not_found')
  const rows = await db().rows<{ bit: number }>`
    SELECT "statusIndex" - ${first}::int AS "bit" FROM "Certificate"
    WHERE "status" IN ('revoked', 'superseded') AND "statusIndex" >= ${inList.gte}::int AND "statusIndex" <= ${inList.lte}::int`
  return signList(list, encodeBits(rows.map(({ bit }) => bit)), context.now)
}

/** Returns the gzipped bitstring in multibase base64url (`u`). The first bit is the highest bit of the first byte. */
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
