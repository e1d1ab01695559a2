/** Audit logs of a person as files, and what a host can make of them: each rewritten log is signed by the service. */
import { hashEvent } from '@beak/proofs/audit/hash'
import { call } from '@/app/beak/_api/call'
import { aDuckling } from '@/lib/factories/ducklings'
import { numericDate, signToken } from '@/lib/infrastructure/keys/tokens'
import { readClock } from '@/lib/kernel/runtime/clock'

// biome-ignore lint/suspicious/noExplicitAny: the manipulated values have any shape
export type Any = any

export interface Exported {
  audit: { events: Any[]; head: string; jwks: { keys: Any[] } }
}

/** Returns a log of some events: as an export, and as a page of the API. */
export async function anAuditLog(): Promise<{ id: string; sound: Exported; page: Any }> {
  const { id, token } = await aDuckling()
  const headers = { 'User-Agent': 'Tester' }
  await call('POST /beak/cert/issue', { token, headers })
  await call('POST /beak/cert/issue', { token, headers })
  await call('POST /beak/cert/revoke', { token, body: { reason: 'gone' }, headers })
  const page = (await call('GET /beak/audit', { token })).body
  const { body: head } = await call('GET /beak/audit/head', { token })
  const { body: jwks } = await call('GET /.well-known/jwks.json')
  return { id, page, sound: { audit: { events: page.items.toReversed(), head: head.head, jwks } } }
}

/** Returns the text with one changed character. */
export function flip(text: string, place = Math.floor(text.length / 2)): string {
  const changed = text.charAt(place) === 'a' ? 'b' : 'a'
  return text.slice(0, place) + changed + text.slice(place + 1)
}

/** Returns a log whose event 3 was changed, with every later hash recomputed. */
export async function rewritten(sound: Exported): Promise<Exported> {
  const file = structuredClone(sound)
  const { events } = file.audit
  events[2].action = flip(events[2].action)
  for (const [index, event] of events.entries()) {
    if (index > 2) event.prev_hash = events[index - 1].hash
    if (index >= 2) event.hash = await hashEvent(event)
  }
  return file
}

/** Returns the same log with a new head that the service signed. */
export async function rewrittenAndSigned(sound: Exported): Promise<Exported> {
  const file = await rewritten(sound)
  file.audit.head = signedHead(file.audit.events.at(-1))
  return file
}

export const signedHead = ({ duckling_id, seq, hash }: Any, sub = duckling_id) =>
  signToken('auditHead', { sub, seq, hash, iat: numericDate(readClock()) })

/** Returns the answer of GET /beak/audit/head at the time when the log ended with that event. */
export const headAnswer = (event: Any) => {
  const { duckling_id, seq, hash } = event
  return JSON.stringify({ duckling_id, seq, hash, signed_at: 'then', head: signedHead(event) })
}
