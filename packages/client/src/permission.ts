/** Asks for permission, waits for the decision, and uses a permission. */
import type { TestOptions } from '@beak/proofs/test-mark'
import { BeakError, isTransient, TestCredentialError } from './errors'
import type { BeakOperations } from './generated/methods'
import type { ConsumedGrant, Peck, Requester } from './generated/schemas'
import type { RequestPeckInput } from './generated/types'
import { plainJson } from './http/plain-json'
import { delayAfter, sleep } from './http/retry'
import type { CallOptions } from './options'
import type { PermissionTrust, TrustFault } from './trust/permission-trust'
import { askOrWithdraw, isOpen, lifetimeFor } from './withdraw'

/** A question for permission. */
export interface PermissionRequest
  extends Pick<
    RequestPeckInput,
    | 'action'
    | 'params'
    | 'message'
    | 'expires_in'
    | 'grant_expires_in'
    | 'param_types'
    | 'audience'
    | 'require'
    | 'challenge'
    | 'code_hash'
  > {
  /** The duckling to ask: its `duckling_id`, `@` and its handle, or the whole address of an invitation link. */
  target: string
  /** `limited`: one use. `timed`: until the permission expires. `standing`: until it is revoked. Default: `limited`. */
  scope?: RequestPeckInput['scope'] | undefined
  /**
   * Address of the Beak whose permissions the service accepts that will act, as in `required` of its answer. The client asks only when this is its
   * own address.
   */
  issuer?: string | undefined
}

/** How to wait for a decision. */
export interface WaitOptions {
  /** Stops waiting. */
  signal?: AbortSignal | undefined
  /** Seconds to wait at most. Default: until the peck expires. */
  wait?: number | undefined
}

/** How to ask for permission. An abort withdraws the request. */
export interface AskOptions extends WaitOptions {
  /**
   * Seconds to wait at most, then the refusal is `pending`. Default: until the request expires. Without `expires_in` the request expires then too,
   * after at least a minute, because nobody waits any more. 0 only asks: the request stays for `expires_in`, or a day.
   */
  wait?: number | undefined
  /** Key for the request, see {@link CallOptions.idempotencyKey}. */
  idempotencyKey?: string | undefined
  /**
   * Leaves the request in the inbox when the signal aborts, a call fails or a signal ends the process, and lets it last longer than `wait`. Set
   * it when you come back to it. Default: true with an `idempotencyKey`, which finds the request again, otherwise false.
   */
  keep?: boolean | undefined
}

/** How to use a permission. */
export interface UseOptions extends CallOptions {
  /**
   * Host name of the service that acts. A permission for another audience is then refused. Default: not checked, unless `trust` checks the
   * receipt: then a permission that names an audience is refused, and so is one for a single use without a challenge.
   */
  audience?: string | undefined
  /** What the receipt must have (`permissionTrust`), so that you need not believe the service. Default: the service is believed. */
  trust?: PermissionTrust | undefined
}

/** A permission that was given. It is plain data: send it to the service that acts. */
export interface Permission {
  peck_id: string
  /** The secret that gives the permission. */
  grant_token: string
  target_duckling_id: string
  action: string
  scope: Peck['scope']
  /** What was approved. The permission covers exactly these parameters. */
  params: Record<string, unknown>
  /** Null: until it is revoked. */
  grant_expires_at: string | null
  /** Null: any number of uses. */
  max_uses: number | null
}

/** A permission of which one use was spent. */
export interface UsedGrant extends Omit<ConsumedGrant, 'requester'> {
  /**
   * Who asked, as the service says: ids, names and tier. The asker signed nothing, so no receipt proves any of it. Decide by `action`, by
   * `target_duckling_id` and by the params instead.
   */
  claimed: Requester
}

/** Why there is no permission. A person who blocks the asker never answers: that looks like `expired`. */
export type Refusal =
  | { kind: 'rejected'; reason: string }
  /** Nobody answered in time. */
  | { kind: 'expired' }
  /** The asker withdrew the question, or its account or agent was closed. */
  | { kind: 'cancelled' }
  /** Not decided within `wait`. Wait again with `waitForDecision`. */
  | { kind: 'pending' }
  /** Approved, but the permission was used, has expired or was revoked before it was fetched. */
  | { kind: 'ended'; grant_status: Peck['grant_status'] }

/** The answer to a question for permission: either `permission` or `refusal` is null. */
export type PermissionAnswer =
  | { permission: Permission; refusal: null; peck: Peck }
  | { permission: null; refusal: Refusal; peck: Peck }

/** A permission does not cover a use. */
export class PermissionRefusedError extends BeakError {
  override readonly name = 'PermissionRefusedError'
  /**
   * `invalid`: no permission of this service, or an expired one. `mismatch`: given for other parameters or another audience. `consumed`, `expired` and
   * `revoked`: no longer active. `paused`: the person has paused everything, and the permission goes on when they resume. `untrusted`: the service says that the permission is active, and its receipt is not as `trust` demands.
   * `test_credential`: a test service gave it, and the client does not allow that.
   */
  readonly refusal:
    | 'invalid'
    | 'mismatch'
    | 'consumed'
    | 'expired'
    | 'revoked'
    | 'paused'
    | 'untrusted'
    | 'test_credential'
  /** What is wrong with the receipt, when `trust` refused what the service accepted. Otherwise null. */
  readonly fault: TrustFault | null

  constructor(error: BeakError, refusal: PermissionRefusedError['refusal'], fault: TrustFault | null = null) {
    super(error.problem, error.retryAfter)
    this.refusal = refusal
    this.fault = fault
  }
}

/** The longest long poll of the service, in seconds. */
const longestPoll = 30
/** A service that answers a long poll at once is not asked again at once. In milliseconds. */
const shortestPoll = 1_000
const maxDelay = 30_000
/** How often a person may undo an approval of one request while a client waits. */
const maxSuccessors = 100

/** Whether a target is an invitation link, and not an id or a handle. */
export const isLink = (target: string): boolean => /^\s*https?:/i.test(target)

/** Returns the field of a request that names the target. Services of version 0.2.0 take only links as `target`. */
export function targetOf(target: string): Pick<RequestPeckInput, 'target' | 'target_duckling_id'> {
  return isLink(target) ? { target } : { target_duckling_id: target }
}

export async function requestPermission(
  beak: BeakOperations,
  { target, scope = 'limited', issuer: _, ...rest }: PermissionRequest,
  { signal, wait, idempotencyKey, keep = idempotencyKey !== undefined }: AskOptions,
): Promise<PermissionAnswer> {
  const started = performance.now()
  const expires_in = rest.expires_in ?? (keep ? undefined : lifetimeFor(wait))
  const question = { ...targetOf(target), scope, ...rest, expires_in }
  const ask = (signal: AbortSignal | undefined) => beak.requestPeck(question, { signal, idempotencyKey })
  const decide = ({ peck_id }: Peck) => {
    const left = wait === undefined ? undefined : wait - (performance.now() - started) / 1000
    return waitForDecision(beak, peck_id, { signal, wait: left })
  }
  if (!keep) return answerOf(await askOrWithdraw(beak, signal, ask, decide))
  const asked = await ask(signal)
  return answerOf(isOpen(asked) ? await decide(asked) : asked)
}

/** Returns the permission of a decided peck, or why there is none. */
function answerOf(peck: Peck): PermissionAnswer {
  if (peck.status !== 'approved') {
    const refusal: Refusal =
      peck.status === 'rejected' ? { kind: 'rejected', reason: peck.reason ?? '' } : { kind: peck.status }
    return { permission: null, refusal, peck }
  }
  const permission = permissionOf(peck)
  return permission === null
    ? { permission, refusal: { kind: 'ended', grant_status: peck.grant_status }, peck }
    : { permission, refusal: null, peck }
}

/** Returns the permission of a peck, or null when it has no active permission, or none for this caller. */
export function permissionOf(peck: Peck): Permission | null {
  const { grant_status, grant_token } = peck
  if (grant_status !== 'active' || grant_token === undefined) return null
  const { peck_id, target_duckling_id, action, scope, params, grant_expires_at, max_uses } = peck
  return { peck_id, grant_token, target_duckling_id, action, scope, params, grant_expires_at, max_uses }
}

/**
 * Returns the request that waits in place of one whose approval the person undid, or null. What was used before is done, and nothing waits in its
 * place.
 */
const successorOf = ({ superseded_by, uses }: Peck): string | null =>
  superseded_by !== undefined && uses === 0 ? superseded_by : null

/** Follows the request whose place was taken after an undo. */
export async function waitForDecision(
  beak: BeakOperations,
  askedId: string,
  { signal, wait }: WaitOptions,
): Promise<Peck> {
  let peckId = askedId
  let end = wait === undefined ? Number.POSITIVE_INFINITY : performance.now() + wait * 1000
  let failures = 0
  let successors = 0
  for (;;) {
    const polled = performance.now()
    const seconds = Math.min(longestPoll, Math.max(0, Math.floor((end - polled) / 1000)))
    let delay: number
    try {
      const peck = await beak.getPeck({ peck_id: peckId, wait: seconds }, { signal, retries: 0 })
      const successor = successorOf(peck)
      if (successor !== null && successors++ < maxSuccessors) {
        peckId = successor
        continue
      }
      if (peck.status !== 'pending' || performance.now() + shortestPoll > end) return peck
      // No peck is pending longer than this, so a service that stays away does not keep the caller forever.
      end = Math.min(end, polled + Date.parse(peck.expires_at) - Date.parse(peck.created_at) + 60_000)
      failures = 0
      delay = Math.max(0, polled + shortestPoll - performance.now())
    } catch (error) {
      const retryDelay = isTransient(error) ? delayAfter(error, Math.min(failures++, 6), maxDelay) : null
      if (retryDelay === null || performance.now() + retryDelay > end) throw error
      delay = retryDelay
    }
    if (delay > 0) await sleep(delay, signal)
  }
}

export async function usePermission(
  beak: BeakOperations,
  permission: Permission | string,
  given: Record<string, unknown> | undefined,
  { audience, trust, allowTest, ...options }: UseOptions & TestOptions,
): Promise<UsedGrant> {
  // What is sent and what the receipt is compared with are the same.
  const params = plainJson(given ?? {}, 'params') as Record<string, unknown>
  const grant_token = typeof permission === 'string' ? permission : permission.grant_token
  const input = { grant_token, params, audience }
  const spend = () => withRefusals(beak.consumeGrant(input, options))
  if (trust === undefined) return usedGrant(await spend())
  const checks = trust.checksOf({ params, audience, allowTest })
  await checks.fetchKeys(grant_token)
  if (trust.readFirst) {
    const { idempotencyKey: _, ...readOptions } = options
    await checks.check(await withRefusals(beak.checkGrant(input, readOptions)))
  }
  const answer = await spend()
  await checks.accept(answer)
  return usedGrant(answer)
}

const usedGrant = ({ requester: claimed, ...answer }: ConsumedGrant): UsedGrant => ({ ...answer, claimed })

/** Rejects with `PermissionRefusedError` instead of an error that is about the permission. */
async function withRefusals(call: Promise<ConsumedGrant>): Promise<ConsumedGrant> {
  try {
    return await call
  } catch (error) {
    if (error instanceof TestCredentialError) throw testRefusal(error)
    const refusal = error instanceof BeakError ? refusalOf(error) : null
    throw error instanceof BeakError && refusal !== null ? new PermissionRefusedError(error, refusal) : error
  }
}

/** Returns the refusal of a permission of a test service, in the form of an error of the service. */
function testRefusal({ message, reason }: TestCredentialError): PermissionRefusedError {
  const error = new BeakError({
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: message,
    code: 'E4007',
    reason: 'grant_mismatch',
    message,
    success: false,
    request_id: '',
    action: 'Do not act. Ask for another permission at the real service.',
  })
  return new PermissionRefusedError(error, reason)
}

/** Returns why a use was refused, or null for an error that is not about the permission. */
function refusalOf({ code, problem }: BeakError): PermissionRefusedError['refusal'] | null {
  if (code === 'E4006') return 'invalid'
  if (code === 'E4007') return 'mismatch'
  if (code !== 'E4008') return null
  const { current_status } = problem
  return (['consumed', 'revoked', 'paused'] as const).find((one) => one === current_status) ?? 'expired'
}
