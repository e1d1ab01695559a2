/** Verifies signed heads of audit chains: the head in an export, and heads that somebody saved earlier. Also runs in browsers. */
import * as z from 'zod'
import { type JwsFault, openJws } from '../jws'
import { type KeySet, type KeySource, sourceOf } from '../keys'
import { type TestOptions, testMessage } from '../test-mark'
import type { ChainEvent, Fault } from './chain'

const HeadClaims = z.object({
  iss: z.string(),
  sub: z.string(),
  seq: z.int(),
  hash: z.string(),
  iat: z.number(),
})

/** The claims of a head with a valid signature. */
export interface SignedHead extends z.infer<typeof HeadClaims> {
  kid: string
}

/** A head that somebody saved: the text of a file, and its name for messages. */
export interface KeptHead {
  name: string
  text: string
}

/** The response of `GET /beak/audit/head`. */
const HeadAnswer = z.object({ duckling_id: z.string(), seq: z.int(), hash: z.string(), head: z.string() })

function headFault(message: string, event: ChainEvent | null = null): Fault {
  return { kind: 'head', seq: event?.seq ?? null, eventId: event?.event_id ?? null, message }
}

/** Returns the claims of a head, or a sentence that describes its fault. */
export async function openHead(
  head: string,
  jwks: KeySet | KeySource | undefined,
  options: TestOptions,
): Promise<SignedHead | string> {
  if (jwks === undefined)
    return 'The signed head cannot be checked without the keys of the service. Give them with --jwks.'
  const opened = await openJws(head, 'audit-head+jwt', sourceOf(jwks), options)
  if (!opened.ok) return describe(opened.fault)
  const claims = HeadClaims.safeParse(opened.claims)
  return claims.success ? { ...claims.data, kid: opened.kid } : notSigned
}

const notSigned = 'The head was not signed by the service: none of its keys made that signature.'

function describe(fault: JwsFault): string {
  if (fault.kind === 'test') return testMessage
  if (fault.kind !== 'key') return notSigned
  const { kid, found } = fault
  if (found.state === 'unavailable') return `${found.cause}.`
  if (found.state === 'unknown')
    return `The head was not signed by the service: the service has no key ${kid}. Either somebody else signed the head, or the service has removed the key.`
  return `The key that signed the head was stolen. Since ${found.from} somebody else may have signed with it, so the service no longer trusts it. Export the log again: the service signs its head with a new key. To compare with the past, use a checkpoint that you kept (--checkpoint).`
}

/** Compares the end of a whole chain with its signed head. */
export function findEndFaults(events: ChainEvent[], head: SignedHead, ducklingId: string): Fault[] {
  if (head.sub !== ducklingId) return [headFault(`The signed head belongs to another log, of ${head.sub}.`)]
  const last = events.reduce<ChainEvent | null>(
    (latest, event) => (latest && latest.seq > event.seq ? latest : event),
    null,
  )
  if (last && last.seq === head.seq && last.hash === head.hash) return []
  if (!last || last.seq < head.seq)
    return [
      headFault(
        `the chain ends here, but the signed head is event ${head.seq}: the latest events are missing`,
        last,
      ),
    ]
  return [
    headFault(
      last.seq > head.seq
        ? `the chain continues after its signed head, event ${head.seq}`
        : 'it is not the event of the signed head: it was replaced',
      last,
    ),
  ]
}

/** Compares a log with a head that was saved earlier. A log that has grown since then has no fault. */
export async function findKeptHeadFaults(
  kept: KeptHead,
  { chain, ducklingId, isPart }: { chain: ChainEvent[]; ducklingId: string; isPart: boolean },
  jwks: KeySet | KeySource | undefined,
  options: TestOptions,
): Promise<Fault[]> {
  const token = readKeptHead(kept.text)
  if (token === null)
    return [headFault(`${kept.name} is neither a response of GET /beak/audit/head nor a signed head.`)]
  const head = await openHead(token.head, jwks, options)
  if (typeof head === 'string') return [headFault(`${kept.name}: ${head}`)]
  if (token.seq !== undefined && (token.seq !== head.seq || token.hash !== head.hash))
    return [headFault(`${kept.name}: the content of the file and its signed content differ.`)]
  if (head.sub !== ducklingId) return [headFault(`${kept.name} is the head of another log, of ${head.sub}.`)]
  return findRewriting(chain, head, { source: kept.name, isPart })
}

function readKeptHead(text: string): { head: string; seq?: number; hash?: string } | null {
  const trimmed = text.trim()
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(trimmed)) return { head: trimmed }
  try {
    return HeadAnswer.safeParse(JSON.parse(trimmed)).data ?? null
  } catch {
    return null
  }
}

/**
 * Returns a fault unless the log contains the event with this number and hash. `source` names the proof of the event. A page, or a file
 * that is older than the head, can lack the event without manipulation.
 */
export function findRewriting(
  events: ChainEvent[],
  { seq, hash }: { seq: number; hash: string },
  { source, isPart }: { source: string; isPart: boolean },
): Fault[] {
  const event = events.find((one) => one.seq === seq)
  if (event?.hash === hash) return []
  if (event)
    return [
      headFault(
        `${source} says that event ${seq} has the hash ${hash}, but here it has ${event.hash}: the log was rewritten`,
        event,
      ),
    ]
  if (isPart)
    return [
      headFault(
        `${source} is about event ${seq}, which this page does not contain. Check an export: an export has all events.`,
      ),
    ]
  const last = events.reduce((most, one) => Math.max(most, one.seq), 0)
  return [
    headFault(
      seq > last
        ? `${source} is about event ${seq}, but the log ends at event ${last}: the latest events were removed, or the file is older than ${source}.`
        : `${source} is about event ${seq}, which the file does not contain.`,
    ),
  ]
}
