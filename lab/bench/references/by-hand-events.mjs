/** Audit events as `append_audit_event` of the database takes them: the canonical JSON before and after what the database adds. */
import { randomBytes } from 'node:crypto'
import { newId, sha256 } from './by-hand-parts.mjs'

const zeros = '0'.repeat(64)

/** Returns the statement that appends the events in a parameter. */
export const appendEvents = (parameter) => `
  SELECT count(append_audit_event(e."head", e."tail", '${zeros}', e."is_required", e."acting_session", false, e."ip", e."user_agent", e."salt"))
  FROM json_to_recordset(${parameter}::json) AS e ("duckling_id" text, "head" text, "tail" text, "is_required" boolean, "acting_session" text,
    "ip" text, "user_agent" text, "salt" text)`

const hiddenContext = '{"ip":null,"request_id":null,"user_agent":null}'
export const anonymous = '{"id":null,"type":"anonymous"}'
export const actorOf = (type, id) => `{"id":"${id}","type":"${type}"}`

/** Returns what an event says about a request: a salted digest of address and device, because the owner can erase both. */
function contextOf({ ip, userAgent, requestId }) {
  const salt = randomBytes(16)
  const text = `{"ip":${JSON.stringify(ip)},"salt":"${salt.toString('base64url')}","user_agent":${JSON.stringify(userAgent)}}`
  return {
    context: `{"digest":"${sha256(text).toString('hex')}","request_id":"${requestId}"}`,
    ip,
    user_agent: userAgent,
    salt: salt.toString('hex'),
  }
}

const noContext = { context: hiddenContext, ip: null, user_agent: null, salt: null }

/**
 * Returns an event. `about`: the request, or null in the log of another account than the caller's. `metadata` and `actor`: canonical JSON.
 * `targets`: pairs of a type and an id.
 */
export function event(action, ducklingId, now, { about, actor, metadata = '{}', targets = [], ...given }) {
  const { context, ...address } = given.context ?? (about === null ? noContext : contextOf(about))
  const { isRequired = false, session = '' } = given
  const named = targets.map(([type, id]) => `{"id":"${id}","type":"${type}"}`)
  return {
    duckling_id: ducklingId,
    head: `{"action":"${action}","actor":${actor},"context":${context},"duckling_id":"${ducklingId}","event_id":"${newId('EVT', now)}","metadata":${metadata},"occurred_at":"${now.toISOString()}","outcome":"success","prev_hash":"`,
    tail: `,"targets":[${named.join()}]}`,
    is_required: isRequired,
    acting_session: session,
    ...address,
  }
}

/** Returns the event of a mailed code. The worker sends codes, so the event has no address. */
export function codeSent(ducklingId, purpose, requestId, now) {
  return event('code.sent', ducklingId, now, {
    context: { ...noContext, context: `{"ip":null,"request_id":"${requestId}","user_agent":null}` },
    actor: '{"id":null,"type":"system"}',
    metadata: `{"channel":"mail","purpose":"${purpose}"}`,
  })
}

/** Returns the events as a parameter, in the order of the accounts, so that transactions lock their logs in one order. */
export function inOrder(events) {
  return JSON.stringify(events.sort((left, right) => (left.duckling_id < right.duckling_id ? -1 : 1)))
}
