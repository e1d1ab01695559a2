/** Checks whether a call is allowed: rate limit, authentication, capability and tier. */

import { transaction } from '@/lib/db/transaction'
import type { EventKind } from '@/lib/infrastructure/events/kinds'
import { record } from '@/lib/infrastructure/events/record'
import { recordRepeatable } from '@/lib/infrastructure/events/repeated-refusals'
import { config } from '@/lib/kernel/config'
import { type AnyLimitGroup, type DailyLimitGroup, isDaily, perDay } from '@/lib/kernel/config/limits'
import type { Caller, Context } from '@/lib/kernel/request/context'
import { errorCodes, type Failure, type FailureName, fail, failureTable } from '@/lib/kernel/request/failures'
import { reaches } from '@/lib/kernel/request/tier'
import { takeByAddress } from './address-limit'
import type { Answer, Call, CallContext } from './call'
import { findCaller, hasQueryKey, nobody } from './caller'
import type { Gate } from './definition'
import { announce, queryKey } from './deprecation'
import type { LimitState } from './limit-state'
import { takeToken } from './limiter'

/**
 * Sets `context.caller`, `context.takeTokens` and the rate limit headers. With the limit `authenticated` the call is authenticated first, and a
 * call with a refused credential takes a token of its address.
 */
export async function admit(
  gate: Gate,
  call: Call,
  context: Context<Caller, FailureName> & Pick<CallContext, 'takeTokens'>,
  headers: Answer['headers'],
): Promise<void> {
  // Buckets in memory answer at once: a promise for each step would cost more than the step.
  const report = (state: LimitState | Promise<LimitState>): Promise<void> | void =>
    state instanceof Promise
      ? state.then((taken) => reportLimit(headers, taken))
      : reportLimit(headers, state)
  const takeOfAddress = (of: AnyLimitGroup, tokens?: number) => report(takeByAddress(of, context.ip, tokens))
  const { limit: group } = gate
  const taking = group !== null && group !== 'authenticated' ? takeOfAddress(group) : null
  if (taking instanceof Promise) await taking
  if (gate.budget !== undefined) await spendBudget(headers, gate.budget, context.ip)
  const isOwn = group === 'authenticated'
  const find = call.findCaller ?? findCaller
  const identify = () =>
    find(gate.auth, call, context).catch(async (error: unknown) => {
      if (isOwn) await takeOfAddress('anonymous')
      throw error
    })
  const { caller, rate, isProved } = gate.auth === 'none' ? nobody : await identify()
  context.caller = caller
  const takeOwn = (tokens?: number) => {
    if (group === null) return
    if (!isOwn) return takeOfAddress(group, tokens)
    return caller === null
      ? takeOfAddress('anonymous', tokens)
      : report(takeToken(group, caller.id, rate, tokens))
  }
  context.takeTokens = takeOwn
  const takingOwn = isOwn ? takeOwn() : null
  if (takingOwn instanceof Promise) await takingOwn
  if (!isProved) checkProved(gate)
  checkCapability(gate, caller)
  checkTier(gate, caller)
  const { deprecated = hasQueryKey(call) ? queryKey : undefined } = gate
  if (deprecated !== undefined) announce(deprecated, headers)
}

/** Takes a token of the budget of an address. The headers tell of the limit, unless the budget is spent. */
async function spendBudget(
  headers: Answer['headers'],
  budget: DailyLimitGroup,
  ip: string | null,
): Promise<void> {
  const state = await takeByAddress(budget, ip)
  if (!state.success) reportLimit(headers, state)
}

/** Reports the remaining tokens (IETF draft-ietf-httpapi-ratelimit-headers). Throws `rate_limited` when there are none. */
function reportLimit(headers: Answer['headers'], state: LimitState): void {
  const { group, rate, success, remaining, retryAfter } = state
  const policy = isDaily(group) ? `q=${perDay(rate)};w=86400` : `q=${rate.perMinute};w=60`
  headers['RateLimit-Policy'] = `"${group}";${policy};burst=${rate.burst}`
  headers.RateLimit = `"${group}";r=${remaining};t=${retryAfter}`
  if (!success) throw fail('rate_limited', { retry_after: retryAfter })
}

/**
 * Somebody could sign up with an address of an allowed domain whose mail they cannot read (contract E, Who may sign up). Throws
 * `address_unproved`.
 */
function checkProved({ allowsUnproved }: Gate): void {
  if (config().signUp.mode !== 'open' && !allowsUnproved) throw fail('address_unproved')
}

function checkCapability({ capability }: Gate, caller: Caller): void {
  if (caller?.type === 'agent' && capability !== undefined && !caller.capabilities.includes(capability))
    throw fail('capability_missing', { required_capability: capability })
}

function checkTier({ tier }: Gate, caller: Caller): void {
  if (tier !== undefined && caller !== null && !reaches(caller.tier, tier))
    throw fail('tier_too_low', { required_tier: tier, current_tier: caller.tier })
}

/** Failures that are not recorded: malformed requests, rate limits, busy deliveries, and idempotency keys that were sent again. */
const unrecorded = new Set<FailureName>([
  'invalid_request',
  'rate_limited',
  'webhook_busy',
  'body_too_large',
  'unsupported_media_type',
  'idempotency_key_busy',
  'idempotency_key_reused',
  'answer_not_stored',
])

/** Attempts that programs repeat by themselves, also programs of strangers: their repetitions become one event with a count. */
const merged = new Set<EventKind>(['peck.sent', 'peck.consumed', 'agent.guarded'])

/**
 * Records a refused attempt in the audit log of the duckling that it concerns. Failures of the service itself, and
 * refusals that were recorded already, are not recorded.
 */
export async function recordRefusal(
  { attempt }: Gate,
  context: Context,
  { failure, concern }: Failure,
): Promise<void> {
  if (concern === 'recorded' || unrecorded.has(failure)) return
  if (typeof concern === 'function') return concern(context)
  const { code } = failureTable[failure]
  if (errorCodes[code].status >= 500) return
  const kind = (concern?.event ?? attempt) as EventKind | undefined
  const ducklingId = concern?.ducklingId ?? context.caller?.id
  if (kind === undefined || ducklingId === undefined) return
  const metadata = { code, failure, ...concern?.metadata }
  if (merged.has(kind)) return recordRepeatable({ context, kind, ducklingId, metadata })
  await transaction(async (tx) =>
    record(tx, context, kind, { concerning: [ducklingId], outcome: 'denied', metadata }),
  )
}
