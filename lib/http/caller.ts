/**
 * Who calls: the credential found in the request, judged. `/beak` reads no cookie (contract A), so a request with only a
 * cookie is one without a credential.
 */
import { authenticateKey } from '@/lib/domain/agents/beak-key'
import { refuseKey } from '@/lib/domain/agents/refuse-key'
import { authenticateSession } from '@/lib/domain/sessions/authenticate'
import type { AgentCaller, KeyCaller, SessionCaller } from '@/lib/kernel/context'
import { fail } from '@/lib/kernel/failures'
import type { Rate } from '@/lib/kernel/limit-table'

export type Auth = 'none' | 'optional' | 'session' | 'session-or-agent' | 'beak-key' | 'bonded-key'

export interface CallerOf {
  none: null
  /** Every credential is optional; a valid key of an agent that is not bonded counts as none. */
  optional: SessionCaller | AgentCaller | null
  session: SessionCaller
  'session-or-agent': SessionCaller | AgentCaller
  /** A live key in a header; its agent need not be bonded. */
  'beak-key': KeyCaller
  /** A live key of a bonded agent. */
  'bonded-key': AgentCaller
}

export interface Identified<A extends Auth> {
  caller: CallerOf[A]
  rate: Rate | null
}

interface Presented {
  session: string | null
  key: string | null
  keyInQuery: boolean
}

function presented(request: Request, url: URL): Presented {
  const header = request.headers.get('authorization')
  const [, token = null] = /^Bearer +([\w.~+/=-]+)$/i.exec(header ?? '') ?? []
  const bearerKey = token?.startsWith('beak_') ? token : null
  const headerKey = request.headers.get('x-beak-key') ?? bearerKey
  return {
    session: header === null || bearerKey !== null ? null : (token ?? ''),
    key: headerKey ?? url.searchParams.get('beak_key'),
    keyInQuery: headerKey === null && url.searchParams.has('beak_key'),
  }
}

/** Whether the request carries its key in the query string (security bar, D3: tolerated, marked as deprecated). */
export function hasQueryKey(request: Request, url: URL): boolean {
  return presented(request, url).keyInQuery
}

/**
 * The caller an endpoint of that kind asks for. Throws `session_invalid`, `beak_key_invalid`, `agent_not_bonded`, or
 * `agent_not_allowed` where a valid key calls what only people may.
 */
export async function identify<A extends Auth>(
  auth: A,
  request: Request,
  url: URL,
  now: Date,
): Promise<Identified<A>> {
  return (await judge(auth, request, url, now)) as Identified<A>
}

async function judge(auth: Auth, request: Request, url: URL, now: Date): Promise<Identified<Auth>> {
  if (auth === 'none') return { caller: null, rate: null }
  const { session, key, keyInQuery } = presented(request, url)
  if (auth === 'beak-key' || auth === 'bonded-key') {
    if (key === null) throw fail('beak_key_invalid')
    const { caller, agent, rate } = await authenticateKey(key, keyInQuery, now)
    if (auth === 'beak-key') {
      // The ceremony's key never rides in the query string (contract A).
      if (keyInQuery) throw refuseKey({ ...caller, ducklingId: caller.id }, 'query_key_at_bond')
      return { caller, rate }
    }
    if (agent === null) throw concerning(fail('agent_not_bonded'), caller)
    return { caller: agent, rate }
  }
  if (session !== null) {
    const found = await authenticateSession(session, now)
    if (found === null) throw fail('session_invalid')
    return found
  }
  if (key !== null) {
    const { caller, agent, rate } = await authenticateKey(key, keyInQuery, now)
    if (auth === 'optional') return agent === null ? { caller: null, rate: null } : { caller: agent, rate }
    if (agent === null) throw concerning(fail('agent_not_bonded'), caller)
    if (auth !== 'session-or-agent') throw concerning(fail('agent_not_allowed'), caller)
    return { caller: agent, rate }
  }
  if (auth === 'optional') return { caller: null, rate: null }
  throw fail('session_invalid')
}

/** A refusal that the agent's operator will find in the audit log. */
function concerning(failure: ReturnType<typeof fail>, caller: KeyCaller) {
  return fail(failure.failure, failure.extras, {
    ducklingId: caller.id,
    metadata: { agent_id: caller.agentId },
  })
}
