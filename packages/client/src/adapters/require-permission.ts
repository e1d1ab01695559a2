/**
 * Refuses requests without a permission. The middleware for Express, Hono and Next builds on this module. The asker sends the grant
 * token in the header `X-Peck-Grant`; one use is spent before the request is handled. Without Beak, every request is refused, and so is what
 * Beak says without a receipt.
 */
import type { Beak } from '../beak'
import { BeakAnswerError, BeakConnectionError, BeakError } from '../errors'
import { InexactNumberError, plainJson } from '../http/plain-json'
import { uncheckedClaims } from '../http/test-answer'
import { PermissionRefusedError, type UsedGrant } from '../permission'
import { publicHostName } from '../required-permission'
import { type GuardTrust, type ReadyTrust, readyTrust } from './guard-trust'

/** The header with the grant token, in the case that every framework finds. */
export const grantHeader = 'x-peck-grant'

/** What a request needs permission for. The functions get the arguments of a handler of the framework. */
export interface PermissionRule<Args extends unknown[]> {
  /** Client of the service. It needs no credential. */
  beak: Beak
  /** The permission as verb:object, such as `place:order`. */
  action: string | ((...args: Args) => string | Promise<string>)
  /** What the request is about to do. The permission must be for exactly these parameters. */
  params: (...args: Args) => Record<string, unknown> | Promise<Record<string, unknown>>
  /**
   * The duckling that must have given the permission: its `duckling_id`. `anyone`: the handler acts for whoever gave it, and takes the
   * person from `target_duckling_id` of the permission.
   */
  target: 'anyone' | (string & {}) | ((...args: Args) => string | Promise<string>)
  /**
   * Host name of the service. A permission for another audience is refused. Default: the host of each request, when it is a public host name. Name it
   * when your server answers requests for any host, or when a proxy changes the host.
   */
  audience?: string | undefined
  /**
   * What the receipt of the permission must have, so that the service need not believe Beak. Default: the signature of a passkey, and a
   * challenge of the service, which is accepted once. `{ require: 'service' }`: Beak is believed.
   */
  trust?: GuardTrust | undefined
  /** Accepts permissions of a test service on this computer. Set it only in tests. Default: `allowTest` of the client. */
  allowTest?: boolean | undefined
}

/** A permission of which one use was spent for this request. */
export interface UsedPermission extends UsedGrant {
  /** What was approved. Act on these, not on the request. */
  params: Record<string, unknown>
}

/** The answer to a refused request: a problem document (RFC 9457). */
interface PermissionProblem {
  status: 401 | 403 | 503
  headers: Record<string, string>
  body: {
    type: 'about:blank'
    title: string
    status: number
    detail: string
    code: RefusalCode
    /** What to do next. */
    action: string
    /** What to ask for, in the words of `POST /beak/peck/request`. */
    required: Demand
  }
}

/** What an agent must ask for, and where. It passes all of it on as it is (`requiredPermission` of the client reads it). */
interface Demand {
  action: string
  params: Record<string, unknown>
  scope: 'limited'
  audience?: string
  issuer: string
  require?: 'signed'
  challenge?: string
}

/** `missing`: no permission was sent. `unavailable`: Beak did not answer. The others: the permission was not accepted. */
type RefusalCode = 'missing' | 'unavailable' | PermissionRefusedError['refusal']

/** Either the permission, or the answer to send instead of handling the request. */
type PermissionCheck =
  | { permission: UsedPermission; problem: null }
  | { permission: null; problem: PermissionProblem }

/** What a guard reads of a request. */
interface GuardedRequest {
  /** The header `X-Peck-Grant`, or null without it. */
  token: string | null
  /** The host that was called, with or without its port. Undefined when the framework has none. */
  host: string | undefined
}

/** Checks the permission of one request. The rule gets `args`. */
export type PermissionGuard<Args extends unknown[]> = (
  request: GuardedRequest,
  ...args: Args
) => Promise<PermissionCheck>

/**
 * Returns a guard, which spends one use of the permission that a request carries. A permission for another action or of another person is not
 * spent. The guard throws what the functions of the rule throw. Throws `TypeError` for a malformed `trust`, and for an `audience` that is no public
 * host name.
 */
export function permissionGuard<Args extends unknown[]>(rule: PermissionRule<Args>): PermissionGuard<Args> {
  const { allowTest = rule.beak.allowTest } = rule
  const ready = readyTrust(rule.beak.url, rule.trust, allowTest)
  const beak = allowTest === rule.beak.allowTest ? rule.beak : rule.beak.with({ allowTest })
  const audience = rule.audience === undefined ? undefined : ownHost(rule.audience)
  return ({ token, host }, ...args) => {
    const called = audience ?? publicHostName(host ?? '') ?? undefined
    return checkPermission({ ...rule, beak, audience: called }, ready, token, args)
  }
}

function ownHost(audience: string): string {
  const name = publicHostName(audience)
  if (name !== null) return name
  throw new TypeError('audience must be a public host name, such as shop.example.')
}

async function checkPermission<Args extends unknown[]>(
  rule: PermissionRule<Args>,
  ready: ReadyTrust,
  token: string | null,
  args: Args,
): Promise<PermissionCheck> {
  const textOf = async (value: string | ((...args: Args) => string | Promise<string>)) =>
    typeof value === 'function' ? value(...args) : value
  const [action, target, given] = await Promise.all([
    textOf(rule.action),
    textOf(rule.target),
    rule.params(...args),
  ])
  const sent = isObject(given) ? exactParams(given) : {}
  const params = sent instanceof Error ? {} : sent
  const { audience } = rule
  const place = audience === undefined ? {} : { audience }
  const required: Demand = {
    action,
    params,
    scope: 'limited',
    ...place,
    issuer: ready.issuer,
    ...ready.demands(),
  }
  // The framework has rounded a number of the request: nobody can give a permission for it.
  if (sent instanceof Error) return refuse('mismatch', required, { fault: sent.message })
  if (token === null || token === '') return refuse('missing', required)
  // Without parameters, Beak would accept a permission for `{}`. A body that is a list or missing reaches this.
  if (!isObject(given)) return refuse('mismatch', required)
  // Before the use is spent. What the token says is confirmed below.
  const claims = uncheckedClaims(token)
  if (claims === null) return refuse('invalid', required)
  const isFor = (of: { action?: unknown; target?: unknown }) =>
    of.action === action && (target === 'anyone' || of.target === target)
  if (!isFor(claims)) return refuse('mismatch', required)
  try {
    const used = await rule.beak.usePermission(token, params, { audience, trust: ready.trust })
    return isFor({ action: used.action, target: used.target_duckling_id })
      ? { permission: { ...used, params }, problem: null }
      : refuse('mismatch', required)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === null) throw error
    return refuse(refusal.code, required, refusal)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the parameters as they are sent, or the error for a number that JSON does not keep. Throws `TypeError` for other values. */
function exactParams(given: Record<string, unknown>): Record<string, unknown> | InexactNumberError {
  try {
    return plainJson(given, 'params') as Record<string, unknown>
  } catch (error) {
    if (error instanceof InexactNumberError) return error
    throw error
  }
}

interface RefusalDetails {
  retryAfter?: number | null
  /** What is wrong with the receipt, or with the parameters. */
  fault?: string | null
}

/** Returns why a permission was not accepted, or null for an error that is not about it. */
function refusalOf(error: unknown): (RefusalDetails & { code: RefusalCode }) | null {
  if (error instanceof PermissionRefusedError)
    return { code: error.refusal, fault: error.fault?.message ?? null }
  // The token or the parameters are longer than any that Beak accepts.
  if (error instanceof BeakError && error.status === 400) return { code: 'invalid' }
  if (error instanceof BeakError || error instanceof BeakAnswerError)
    return { code: 'unavailable', retryAfter: error.retryAfter }
  return error instanceof BeakConnectionError ? { code: 'unavailable' } : null
}

const askAgain = 'Ask for this permission with POST /beak/peck/request, then repeat the request with it.'

const refusals: Record<RefusalCode, { status: 401 | 403 | 503; detail: string; action: string }> = {
  missing: {
    status: 401,
    detail: 'This request needs a permission.',
    action:
      'Ask for the permission in "required" at its "issuer" with POST /beak/peck/request, and send its grant_token in X-Peck-Grant.',
  },
  invalid: { status: 403, detail: 'The permission is not valid or has expired.', action: askAgain },
  mismatch: { status: 403, detail: 'The permission does not cover this request.', action: askAgain },
  consumed: { status: 403, detail: 'The permission was used before.', action: askAgain },
  expired: { status: 403, detail: 'The permission is not active.', action: askAgain },
  revoked: {
    status: 403,
    detail: 'The permission was revoked.',
    action: 'Ask the person why before asking again.',
  },
  paused: {
    status: 403,
    detail: 'The person has paused everything that may happen without asking.',
    action: 'Repeat the request with the same permission later. Do not ask again for the same.',
  },
  untrusted: {
    status: 403,
    detail: 'The receipt of the permission is not what this service accepts.',
    action:
      'Ask for exactly the permission in "required", with its "require" and "challenge", then repeat the request with it.',
  },
  test_credential: {
    status: 403,
    detail: 'The permission was made by a test service, so it proves nothing here.',
    action: 'Ask for the permission at the real service. Only tests of this service set BEAK_ALLOW_TEST=1.',
  },
  unavailable: {
    status: 503,
    detail: 'The permission cannot be checked now, so nothing was done.',
    action: 'Repeat the request after the seconds in Retry-After.',
  },
}

const titles = { 401: 'Unauthorized', 403: 'Forbidden', 503: 'Service Unavailable' }

function refuse(
  code: RefusalCode,
  required: Demand,
  { retryAfter = null, fault = null }: RefusalDetails = {},
): { permission: null; problem: PermissionProblem } {
  const { status, action, detail: what } = refusals[code]
  const isNamed = code === 'untrusted' || code === 'mismatch'
  const detail = isNamed && fault !== null ? `${what} ${fault}` : what
  const headers: Record<string, string> = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
  }
  // A scheme of its own, because a grant is no Bearer token of this service.
  if (status === 401) {
    const issuer = encodeURI(required.issuer).replaceAll('%25', '%')
    headers['WWW-Authenticate'] = `PeckGrant action="${encodeURI(required.action)}", issuer="${issuer}"`
  }
  if (status === 503) headers['Retry-After'] = String(Math.ceil(retryAfter ?? 1))
  const body = { type: 'about:blank', title: titles[status], status, detail, code, action, required } as const
  return { permission: null, problem: { status, headers, body } }
}
