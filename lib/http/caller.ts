/**
 * Authentication: finds the credential of a call and returns its caller. The API reads no cookie, so a call with only a
 * cookie has no credential.
 */
import { authenticateKey, type KeyAuthenticated } from '@/lib/domain/agents/beak-key'
import { refuseKey } from '@/lib/domain/agents/refusals'
import { authenticateAccess, isAccessToken } from '@/lib/domain/oauth/connection'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import { m } from '@/lib/kernel/messages'
import type { Caller, Context, KeyCaller } from '@/lib/kernel/request/context'
import { type FailureName, fail } from '@/lib/kernel/request/failures'
import type { ResourceName } from '@/lib/kernel/request/oauth-paths'
import type { Auth, Identified } from './auth'
import type { Call } from './call'

interface Credential {
  session: string | null
  /** An access token of the authorization server. */
  access: string | null
  key: string | null
  isKeyInQuery: boolean
}

/** Returns a key without the quotation marks and blanks around it, which people copy with it from a file of variables. */
function unquoted<T extends string | null | undefined>(key: T): string | Exclude<T, string> {
  return typeof key === 'string'
    ? key
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .trim()
    : (key as Exclude<T, string>)
}

function credentialOf({ headers, query }: Call): Credential {
  const { authorization } = headers
  const [, , token = null] = /^Bearer[ \t]+(["']?)([\w.~+/=-]+)\1$/i.exec(authorization?.trim() ?? '') ?? []
  const bearerKey = token?.startsWith('beak_') ? token : null
  const access = token !== null && isAccessToken(token) ? token : null
  const headerKey = unquoted(headers['x-beak-key']) ?? bearerKey
  return {
    // A malformed header is an invalid session, so it is never treated as a call without a credential.
    session: authorization === undefined || bearerKey !== null || access !== null ? null : (token ?? ''),
    access,
    key: headerKey ?? unquoted(query.get('beak_key')),
    isKeyInQuery: headerKey === null && query.has('beak_key'),
  }
}

/** A signed token (RFC 7515, compact). A beak key has no dots. */
const sessionTokenForm = /^\s*eyJ[\w-]+\.[\w-]+\.[\w-]+\s*$/

/** The caller of a call without a credential. */
export const nobody = { caller: null, rate: null, isProved: true } as const

/** Whether the call carries its beak key in the query string, which is deprecated. */
export function hasQueryKey(call: Call): boolean {
  return call.query.has('beak_key') && credentialOf(call).isKeyInQuery
}

/**
 * Authenticates a call and returns its caller. An access token must be for the resource. Throws `session_invalid`, `beak_key_invalid`, `agent_not_bonded`, or
 * `agent_not_allowed` when an agent calls an endpoint for people.
 */
export async function findCaller(
  auth: Auth,
  call: Call,
  context: Context<Caller, FailureName>,
  resource: ResourceName = 'beak',
): Promise<Identified<Auth>> {
  if (auth === 'none') return nobody
  const { session, access, key, isKeyInQuery } = credentialOf(call)
  const isForKeys = auth === 'beak-key' || auth === 'bonded-key'
  if (access !== null && !(isForKeys && key !== null))
    return agentFor(auth, await authenticateAccess(access, resource, context))
  // Told by its form, so it is looked up nowhere.
  if (session === null && key !== null && sessionTokenForm.test(key))
    throw fail('beak_key_invalid', {
      detail: m.failure_beak_key_invalid_is_session_token(),
      action: m.failure_beak_key_invalid_is_session_token_action(),
    })
  if (isForKeys) {
    if (key === null) throw fail('beak_key_invalid')
    const authenticated = await authenticateKey(key, isKeyInQuery, context)
    const { caller } = authenticated
    // Bonding requires the key in a header.
    if (auth === 'beak-key' && isKeyInQuery)
      throw refuseKey(context, { ...caller, ducklingId: caller.id }, 'query_key_at_bond')
    return agentFor(auth, authenticated)
  }
  if (session !== null) {
    const found = await authenticateSession(session, context.now)
    if (found === null) throw fail('session_invalid')
    return found
  }
  if (key !== null) return agentFor(auth, await authenticateKey(key, isKeyInQuery, context))
  if (auth === 'optional') return nobody
  throw auth === 'session-or-agent'
    ? fail('session_invalid', {
        detail: m.failure_session_invalid_no_credential(),
        action: m.failure_session_invalid_no_credential_action(),
      })
    : fail('session_invalid')
}

/**
 * Returns the caller that an endpoint gets for the credential of an agent. Throws `agent_not_bonded`, or `agent_not_allowed` at an endpoint for
 * people.
 */
function agentFor(auth: Auth, { caller, agent, rate, isProved }: KeyAuthenticated): Identified<Auth> {
  if (auth === 'none') return nobody
  if (auth === 'beak-key') return { caller, rate, isProved }
  if (agent === null) {
    if (auth === 'optional') return nobody
    throw recordedForOperator(fail('agent_not_bonded'), caller)
  }
  if (auth === 'session') throw recordedForOperator(fail('agent_not_allowed'), caller)
  return { caller: agent, rate, isProved }
}

/** Returns the failure with the audit entry that the agent's operator will see. */
function recordedForOperator(failure: ReturnType<typeof fail>, caller: KeyCaller) {
  return fail(failure.failure, failure.extras, {
    ducklingId: caller.id,
    metadata: { agent_id: caller.agentId },
  })
}
