/**
 * The failures in the API reference. A response names the codes, `reason` of a problem all failures (`lib/kernel/failures.ts`), and
 * `x-failures` of an operation its own failures.
 * What every operation with the same credential can answer with is under `4XX` and `5XX`.
 */
import {
  type ErrorCode,
  errorCodes,
  type FailureName,
  failureNames,
  failureTable,
} from '@/lib/kernel/failures'
import { type Definition, stageFailures, takesBody } from './definition'
import type { Json } from './openapi-schemas'

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** Returns the response for a set of codes. */
function response(codes: readonly ErrorCode[]): Json {
  const statuses = new Set<number>(codes.map((code) => errorCodes[code].status))
  const names = [
    ...(statuses.has(401) ? ['WWW-Authenticate'] : []),
    ...(statuses.has(429) || statuses.has(503) ? ['Retry-After'] : []),
  ]
  return {
    description: codes.map((code) => `\`${code}\` ${errorCodes[code].title}`).join(' · '),
    ...(names.length > 0
      ? { headers: Object.fromEntries(names.map((name) => [name, reference('headers', name)])) }
      : {}),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [reference('schemas', 'Problem'), { type: 'object', properties: { code: { enum: codes } } }],
        },
      },
    },
  }
}

/** Returns the codes of failures by status. */
function byStatus(names: readonly FailureName[]): Map<string, ErrorCode[]> {
  const found = new Map<string, ErrorCode[]>()
  for (const name of names) {
    const { code } = failureTable[name]
    const status = String(errorCodes[code].status)
    const codes = found.get(status) ?? []
    if (!codes.includes(code)) found.set(status, [...codes, code].sort())
  }
  return found
}

/**
 * Returns the failures of an operation: those of every operation with the same credential under `4XX` and `5XX`, and by status where this
 * operation adds a code. Adds the responses to `responses`.
 */
export function failureResponses(definition: Definition, method: string, responses: Json): Json {
  const add = (codes: readonly ErrorCode[], name: string) => {
    responses[name] = response(codes)
    return reference('responses', name)
  }
  const { auth, limit, idempotencyKey, failures = [] } = definition
  const stages = [...byStatus(stageFailures({ auth, limit, idempotencyKey }, method)).values()].flat().sort()
  const all = byStatus([...stageFailures(definition, method), ...failures])
  const own = [...all].filter(([, codes]) => codes.some((code) => !stages.includes(code)))
  const name = [auth, ...(takesBody(method) ? ['body'] : []), ...(idempotencyKey ? ['key'] : [])].join('.')
  const isRefusal = (code: ErrorCode) => errorCodes[code].status < 500
  return {
    ...Object.fromEntries(own.map(([status, codes]) => [status, add(codes, codes.join('Or'))])),
    '4XX': add(stages.filter(isRefusal), name),
    '5XX': add(
      stages.filter((code) => !isRefusal(code)),
      'failed',
    ),
  }
}

export const headers: Json = {
  'Idempotency-Replayed': {
    description:
      '`true` when this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { const: 'true' },
  },
  'Retry-After': { description: 'Whole seconds.', schema: { type: 'integer' } },
  'WWW-Authenticate': { description: 'RFC 6750, section 3.', schema: { type: 'string' } },
}
export const problemSchema = {
  type: 'object',
  description:
    'RFC 9457 problem document. `message` equals `detail`. `reason` names what went wrong, and `action` says what to do next.',
  required: [
    'type',
    'title',
    'status',
    'detail',
    'code',
    'reason',
    'message',
    'success',
    'request_id',
    'action',
  ],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { enum: Object.keys(errorCodes) as ErrorCode[] },
    reason: { enum: failureNames, description: 'The stable name of what went wrong. New names may come.' },
    message: { type: 'string' },
    success: { const: false },
    request_id: { type: 'string' },
    action: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    retry_after: { type: 'integer', description: 'Seconds.' },
    required_tier: { enum: ['T0', 'T1', 'T2', 'T3'] },
    current_tier: { enum: ['T0', 'T1', 'T2', 'T3'] },
    required_capability: { type: 'string' },
    current_status: { type: 'string' },
    next_allowed_at: { type: 'string', format: 'date-time' },
    valid: { const: false },
    required: {
      enum: ['passkey', 'fresh_sign_in', 'approver'],
      description: 'With E4009: what to do first.',
    },
  },
}
