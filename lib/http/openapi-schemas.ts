/** Converts the schemas of endpoints to JSON Schema for the API reference. */

import { z } from 'zod'
import {
  type ErrorCode,
  errorCodes,
  type FailureName,
  failureNames,
  failureTable,
} from '@/lib/kernel/request/failures'
import { type Definition, stageFailures, takesBody } from './definition'

export type Json = Record<string, unknown>

/** The bounds that `z.int()` sets. Whole numbers in JSON have them anyway. */
const isOwnBound = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER

const isJustText = (schema: unknown) => JSON.stringify(schema) === '{"type":"string"}'

/** Removes rules that exclude nothing. Answers keep no ban of further fields, because a later version may add fields. */
function shorten(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (!isOwnBound(schema.minimum)) delete schema.minimum
  if (!isOwnBound(schema.maximum)) delete schema.maximum
  if (isJustText(schema.propertyNames)) delete schema.propertyNames
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  const { prefixItems } = schema
  // Lists of a fixed length have items of one form here, and not every program knows `prefixItems`.
  if (prefixItems !== undefined) {
    delete schema.prefixItems
    Object.assign(schema, {
      items: prefixItems[0],
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    })
  }
  const [choice, other, ...more] = schema.anyOf ?? []
  if (other?.type === 'null' && more.length === 0 && isPlain(choice)) {
    delete schema.anyOf
    Object.assign(schema, choice, { type: [choice.type, 'null'] })
  }
}

/** Whether `type: [<type>, "null"]` can say that a schema also allows null. */
const isPlain = (schema: z.core.JSONSchema.BaseSchema | undefined): schema is z.core.JSONSchema.BaseSchema =>
  typeof schema?.type === 'string' && schema.enum === undefined && schema.const === undefined

/** Moves `$defs` of a converted schema to the document's components and points the references there. */
function moveDefinitions(schema: Json, components: Json): Json {
  const { $defs, $schema: _, id: __, ...rest } = schema as Json & { $defs?: Record<string, Json> }
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: ___, ...body } = definition
    components[name] = rewriteReferences(body)
  }
  return rewriteReferences(rest)
}

function rewriteReferences(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}

/** Returns a schema as JSON Schema. Its parts with an id become components. */
export function convert(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => shorten(jsonSchema, io),
  })
  return moveDefinitions(converted as Json, components)
}

/** Returns the schema of an answer. A schema with an id becomes a component. */
export function convertAnswer(schema: z.ZodType, components: Json): Json {
  const converted = convert(schema, 'output', components)
  const id = schema.meta()?.id
  if (typeof id !== 'string' || '$ref' in converted) return converted
  components[id] = converted
  return { $ref: `#/components/schemas/${id}` }
}

/**
 * The failures in the API reference. A response names the codes, `reason` of a problem all failures (`lib/kernel/request/failures.ts`), and
 * `x-failures` of an operation its own failures.
 * What every operation with the same credential can answer with is under `4XX` and `5XX`.
 */

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
