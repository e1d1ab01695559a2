/**
 * Authentication: finds the credential of a call and returns its caller. The API reads no cookie (contract A), so a call with only a
 * cookie has no credential.
 */
import { authenticateKey } from '@/lib/domain/agents/beak-key'
import { refuseKey } from '@/lib/domain/agents/refuse-key'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import type { Caller, Context, KeyCaller } from '@/lib/kernel/context'
import { type FailureName, fail } from '@/lib/kernel/failures'
import type { Auth, Identified } from './auth'
import type { Call } from './call'

interface Credential {
  session: string | null
  key: string | null
  isKeyInQuery: boolean
}

function credentialOf({ headers, query }: Call): Credential {
  const { authorization } = headers
  const [, token = null] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization ?? '') ?? []
  const bearerKey = token?.startsWith('beak_') ? token : null
  const headerKey = headers['x-beak-key'] ?? bearerKey
  return {
    // A malformed header is an invalid session, so it is never treated as a call without a credential.
    session: authorization === undefined || bearerKey !== null ? null : (token ?? ''),
    key: headerKey ?? query.get('beak_key'),
    isKeyInQuery: headerKey === null && query.has('beak_key'),
  }
}

/** The caller of a call without a credential. */
export const nobody = { caller: null, rate: null, isProved: true } as const

/** Whether the call carries its beak key in the query string, which is deprecated. */
export function hasQueryKey(call: Call): boolean {
  return call.query.has('beak_key') && credentialOf(call).isKeyInQuery
}

/**
 * Authenticates a call and returns its caller. Throws `session_invalid`, `beak_key_invalid`, `agent_not_bonded`, or
 * `agent_not_allowed` when an agent calls an endpoint for people.
 */
export async function findCaller(
  auth: Auth,
  call: Call,
  context: Context<Caller, FailureName>,
): Promise<Identified<Auth>> {
  if (auth === 'none') return nobody
  const { session, key, isKeyInQuery } = credentialOf(call)
  if (auth === 'beak-key' || auth === 'bonded-key') {
    if (key === null) throw fail('beak_key_invalid')
    const { caller, agent, rate, isProved } = await authenticateKey(key, isKeyInQuery, context)
    if (auth === 'beak-key') {
      // Bonding requires the key in a header (contract A).
      if (isKeyInQuery) throw refuseKey(context, { ...caller, ducklingId: caller.id }, 'query_key_at_bond')
      return { caller, rate, isProved }
    }
    if (agent === null) throw recordedForOperator(fail('agent_not_bonded'), caller)
    return { caller: agent, rate, isProved }
  }
  if (session !== null) {
    const found = await authenticateSession(session, context.now)
    if (found === null) throw fail('session_invalid')
    return found
  }
  if (key !== null) {
    const { caller, agent, rate, isProved } = await authenticateKey(key, isKeyInQuery, context)
    if (auth === 'optional') return agent === null ? nobody : { caller: agent, rate, isProved }
    if (agent === null) throw recordedForOperator(fail('agent_not_bonded'), caller)
    if (auth !== 'session-or-agent') throw recordedForOperator(fail('agent_not_allowed'), caller)
    return { caller: agent, rate, isProved }
  }
  if (auth === 'optional') return nobody
  throw fail('session_invalid')
}

/** Returns the failure with the audit entry that the agent's operator will see. */
function recordedForOperator(failure: ReturnType<typeof fail>, caller: KeyCaller) {
  return fail(failure.failure, failure.extras, {
    ducklingId: caller.id,
    metadata: { agent_id: caller.agentId },
  })
}
