/** Turns the input of a tool into the parameters of a permission. */

import { AsyncLocalStorage } from 'node:async_hooks'
import { isolated } from '@beak/decision/isolated'
import { areApprovedParams } from '@beak/proofs/params'
import type { Beak } from '../beak'
import { BeakAnswerError, BeakConnectionError, BeakError } from '../errors'
import type { Peck } from '../generated/schemas'
import { plainJson } from '../http/plain-json'
import {
  type Permission,
  PermissionRefusedError,
  type PermissionRequest,
  permissionOf,
  type Refusal,
} from '../permission'

/**
 * Returns the input as parameters. An input that is not an object becomes `{ input }`.
 *
 * @throws TypeError when the input holds a value that JSON cannot carry, because the permission would then cover less than the tool gets
 */
function jsonParams(input: unknown): Record<string, unknown> {
  const params = plainJson(input, 'input', { usesToJson: false })
  return isObject(params) ? params : { input: params }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Asks a person before a tool of an agent runs. The adapters for agent frameworks build on this module, and so can an agent without a
 * framework. Every path to the tool needs a permission: without an answer, or without Beak, the tool does not run.
 */

/** How to ask before a tool runs. The permission covers exactly the input of the tool. */
export interface GuardOptions<Input = unknown>
  extends Pick<
    PermissionRequest,
    'scope' | 'expires_in' | 'grant_expires_in' | 'param_types' | 'audience' | 'require'
  > {
  /** Client with the beak key of the agent, which needs the capabilities `request:peck` and `read:peck`. */
  beak: Beak
  /** The duckling to ask: its `duckling_id`, `@` and its handle, or an invitation link, with which each call asks. */
  target: string | ((input: Input) => string)
  /** What the tool does, as verb:object, such as `send:email`. */
  action: string | ((input: Input) => string)
  /** Why the agent asks, in its own words. At most 280 characters. */
  message?: string | ((input: Input) => string) | undefined
  /** Challenge of the service that the tool calls, as in `required` of its answer. Only a permission with this challenge is used. */
  challenge?: string | ((input: Input) => string | undefined) | undefined
  /** Hash of the code that this service shows to the person. Only a permission with this hash is used. */
  code_hash?: string | ((input: Input) => string | undefined) | undefined
  /** Seconds to wait for the decision. Default: until the request expires. */
  wait?: number | undefined
  /** Leaves the request when the process ends while it waits: the same call finds it again. Default: it is withdrawn. */
  keep?: boolean | undefined
  /**
   * Who uses the permission. `tool` (default): the tool acts itself, so one use is spent before it runs. `service`: the tool calls a
   * service that requires the permission. The tool then sends the `grant_token` of {@link currentPermission} in `X-Peck-Grant`.
   */
  usedBy?: 'tool' | 'service' | undefined
}

/** Why a tool did not run. Written for the model: it says what happened and what to do next. */
export interface ToolRefusal {
  done: false
  /** The kinds of {@link Refusal}; `not_asked`: Beak refused the request; `unavailable`: Beak did not answer. */
  refusal: Refusal['kind'] | 'not_asked' | 'unavailable'
  message: string
  next: string
  peck_id: string | null
}

/** What a guarded call of a tool led to. */
export type GuardedResult<Output> =
  | { refusal: null; output: Output; permission: Permission }
  | { refusal: ToolRefusal }

const running = new AsyncLocalStorage<Permission>()

/** Returns the permission of the tool that runs now. Throws `Error` outside of a guarded tool. */
export function currentPermission(): Permission {
  const permission = running.getStore()
  if (permission === undefined) throw new Error('No guarded tool runs here.')
  return permission
}

/**
 * Runs a function with the permission of a person. An active permission for the same target, action and input is reused; otherwise the
 * person is asked. When there is no permission, the function does not run and the result says why.
 *
 * @param signal stops waiting and withdraws the request; the call then rejects with its reason and nothing runs
 * @throws TypeError when the input is not JSON, because no permission can cover it
 *
 * @example
 * const result = await runWithPermission({ beak, target, action: 'send:email' }, input, () => sendEmail(input))
 */
export async function runWithPermission<Input, Output>(
  options: GuardOptions<Input>,
  input: Input,
  run: () => Output | PromiseLike<Output>,
  signal?: AbortSignal | undefined,
): Promise<GuardedResult<Output>> {
  const request = requestOf(options, input)
  const answer = await getPermission(options, request, signal).catch((error: unknown) => {
    const refusal = signal?.aborted ? null : refusalOfError(error)
    if (refusal === null) throw error
    return { refusal }
  })
  if (answer.refusal !== null) return answer
  // The framework may have given up while the last answer was on its way.
  signal?.throwIfAborted()
  const { permission } = answer
  return { refusal: null, output: await running.run(permission, async () => run()), permission }
}

/** A request with its parameters, which are the input of the tool. */
type ToolRequest = PermissionRequest & { params: Record<string, unknown> }

function requestOf<Input>(options: GuardOptions<Input>, input: Input): ToolRequest {
  const textOf = <Text extends string | undefined>(value: Text | ((input: Input) => Text)) =>
    typeof value === 'function' ? value(input) : value
  const { scope, message, expires_in, grant_expires_in, param_types, audience, require } = options
  return {
    target: textOf(options.target),
    action: textOf(options.action),
    params: jsonParams(input),
    scope,
    message: message === undefined ? undefined : textOf(message),
    expires_in,
    grant_expires_in,
    param_types,
    audience,
    require,
    challenge: textOf(options.challenge),
    code_hash: textOf(options.code_hash),
  }
}

/** How long a request lasts when nobody says how long, in seconds. */
const usualLifetime = 86_400

type PermissionResult = { refusal: null; permission: Permission } | { refusal: ToolRefusal }

/** Returns a permission that may be acted on. One use is spent, unless a service does that. */
async function getPermission(
  { beak, wait, keep, usedBy = 'tool' }: GuardOptions<never>,
  given: ToolRequest,
  signal: AbortSignal | undefined,
): Promise<PermissionResult> {
  const request = { ...given, target: await idOf(beak, given.target, signal) }
  const use = async (permission: Permission) => {
    if (usedBy === 'tool')
      await beak.usePermission(permission, request.params, { signal, audience: request.audience })
    return { refusal: null, permission }
  }
  const found = await findPermission(beak, request, signal)
  if (found !== null)
    try {
      return await use(found)
    } catch (error) {
      // Somebody else used it since, or it was revoked.
      if (!(error instanceof PermissionRefusedError)) throw error
    }
  // After `wait`, the same input finds the request or its permission again, so the request lasts longer than the wait.
  const lasting = { ...request, expires_in: request.expires_in ?? usualLifetime }
  const { permission, refusal, peck } = await beak.requestPermission(lasting, { signal, wait, keep })
  return permission === null ? { refusal: describeRefusal(refusal, peck) } : use(permission)
}

/**
 * Returns the id of the person that a handle with `@` names now, because permissions name their targets by id. An invitation link stays: only
 * the answer to a request names its person, so such a call always asks.
 */
async function idOf(beak: Beak, target: string, signal: AbortSignal | undefined): Promise<string> {
  if (!target.startsWith('@')) return target
  return (await beak.viewHandle({ handle: target.slice(1) }, { signal })).duckling_id
}

/**
 * Returns an active permission that covers the request, or null. It may be of scope `timed` or `standing`, or a `limited` one that was
 * approved after an earlier call had stopped waiting.
 */
async function findPermission(
  beak: Beak,
  request: ToolRequest,
  signal: AbortSignal | undefined,
): Promise<Permission | null> {
  const { target, action, params, audience } = request
  // Only the newest page. In the worst case, the person is asked once more.
  const query = { direction: 'sent', grant_status: 'active', limit: 100 } as const
  for (const peck of (await beak.listPecks(query, { signal })).items) {
    const permission = permissionOf(peck)
    const isSame = peck.target_duckling_id === target && peck.action === action && peck.audience === audience
    const isUsable = isSame && hasSameDemands(peck, request)
    if (permission !== null && isUsable && (await areApprovedParams(peck.params_hash, params)))
      return permission
  }
  return null
}

/** A service accepts its challenge and its code once, so a permission with others is of no use there. */
function hasSameDemands(peck: Peck, { require, challenge, code_hash }: ToolRequest): boolean {
  // As the service completes a request.
  const demanded = challenge === undefined && code_hash === undefined ? require : 'signed'
  return peck.require === demanded && peck.challenge === challenge && peck.code_hash === code_hash
}

function describeRefusal(refusal: Refusal, peck: Peck): ToolRefusal {
  const { peck_id, target_full_name, target_display_name } = peck
  const name = isolated(target_full_name ?? target_display_name)
  const texts: Record<Refusal['kind'], [message: string, next: string]> = {
    rejected: [
      `${name} rejected this. Reason: ${refusal.kind === 'rejected' ? refusal.reason : ''}${smallerWish(peck)}`,
      'Do not try to reach the same effect in another way. Tell the user, and ask what to do instead.',
    ],
    expired: [
      `${name} did not answer before request ${peck_id} expired. This is not a refusal.`,
      'Tell the user that an answer is needed. Call this tool again only when the user still wants this.',
    ],
    cancelled: [
      'The request for permission was withdrawn.',
      'Call this tool again only when the user still wants this.',
    ],
    pending: [
      `${name} has not answered yet. This is not a refusal: request ${peck_id} still waits.`,
      'Continue with something else. Call this tool again later with exactly the same input: it finds the same request.',
    ],
    ended: [
      `${name} approved this, but the permission was used, has expired or was revoked since.`,
      'Call this tool again to ask for a new permission.',
    ],
  }
  const [message, next] = texts[refusal.kind]
  return { done: false, refusal: refusal.kind, message, next, peck_id }
}

/** Returns what the person would approve instead, as a sentence. Empty when the person said nothing about that. */
function smallerWish({ would_approve, unclear }: Peck): string {
  if (unclear) return ' Something was unclear: ask again with a clearer message.'
  if (would_approve === undefined) return ''
  const { max_amount, scope, grant_expires_in } = would_approve
  const parts = [
    max_amount && `at most ${max_amount.amount} ${max_amount.currency}`,
    scope && (scope === 'limited' ? 'one use' : 'a limited time'),
    grant_expires_in !== undefined && `at most ${grant_expires_in} seconds`,
  ].filter(Boolean)
  return ` Would approve: ${parts.join(', ')}.`
}

/** Returns the refusal for an error of Beak, or null for any other error. */
function refusalOfError(error: unknown): ToolRefusal | null {
  const refuse = (refusal: ToolRefusal['refusal'], message: string, next: string): ToolRefusal => ({
    done: false,
    refusal,
    message: `Nothing was done. ${message}`,
    next,
    peck_id: null,
  })
  if (error instanceof PermissionRefusedError) return refuse('ended', error.message, error.action)
  if (error instanceof BeakError && error.status < 500) {
    const fields = error.errors.map(({ field, message }) => ` ${field} ${message}.`).join('')
    const wait = error.retryAfter === null ? '' : ` Wait ${error.retryAfter} seconds.`
    return refuse('not_asked', `${error.problem.detail}${fields}`, `${error.action}${wait}`)
  }
  const isBeak =
    error instanceof BeakError || error instanceof BeakConnectionError || error instanceof BeakAnswerError
  return isBeak
    ? refuse('unavailable', 'Nobody can be asked for permission now.', 'Try again in some minutes.')
    : null
}
