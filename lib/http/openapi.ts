/**
 * Derives the API reference (OpenAPI 3.1) from the route table, the schemas of the endpoints, the failure table and the limit
 * table, so the reference always fits the code.
 */
import { z } from 'zod'
import { config } from '@/lib/kernel/config'
import { type ErrorCode, errorCodes, type FailureName, failureTable } from '@/lib/kernel/failures'
import { type Definition, stageFailures } from './definition'
import type { Endpoint } from './endpoint'

type Json = Record<string, unknown>
type Routes = Record<string, Partial<Record<string, Endpoint>>>

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

function convert(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  return moveDefinitions(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json, components)
}

/** Returns a response schema. A schema with an id becomes a component. */
function responseSchema(schema: z.ZodType, components: Json): Json {
  const converted = convert(schema, 'output', components)
  const id = schema.meta()?.id
  if (typeof id !== 'string' || '$ref' in converted) return converted
  components[id] = converted
  return { $ref: `#/components/schemas/${id}` }
}

const commonHeaders = {
  'X-Request-Id': {
    description: 'Id of this request. A valid id that the client sent is kept.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The remaining requests: `"group";r=remaining;t=seconds until one more`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': { description: '`"group";q=requests;w=60;burst=at once`.', schema: { type: 'string' } },
}

const idempotencyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send the request again: a repeat with the same key within 24 hours gets the answer of the first. Make a new key for each request, such as a random UUID. Bare, or as a quoted string.',
  schema: { type: 'string', minLength: 1 },
}

const replayedHeader = {
  'Idempotency-Replayed': {
    description:
      '`true` when this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { const: 'true' },
  },
}

function failureResponses(definition: Definition, method: string): Json {
  const names = [...new Set([...stageFailures(definition, method), ...(definition.failures ?? [])])]
  const byStatus = new Map<number, FailureName[]>()
  for (const name of names) {
    const { status } = errorCodes[failureTable[name].code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), name])
  }
  const entries = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(
    entries.map(([status, failures]) => [String(status), failureResponse(status, failures)]),
  )
}

function failureResponse(status: number, failures: FailureName[]): Json {
  const codes = [...new Set(failures.map((name) => failureTable[name].code))]
  const headers: Json = { ...commonHeaders }
  if (status === 429 || status === 503)
    headers['Retry-After'] = { description: 'Whole seconds.', schema: { type: 'integer' } }
  if (status === 401) headers['WWW-Authenticate'] = { schema: { type: 'string' } }
  return {
    description: failures
      .map((name) => `- \`${failureTable[name].code}\` ${failureTable[name].detail}`)
      .join('\n'),
    headers,
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { enum: codes } } },
          ],
        },
      },
    },
  }
}

function parameters(path: string, definition: Definition, components: Json): Json[] {
  const list: Json[] = []
  if (path.endsWith('/{n}'))
    list.push({ name: 'n', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } })
  if (path.endsWith('/{path}'))
    list.push({
      name: 'path',
      in: 'path',
      required: true,
      description: 'The rest of the path, with its slashes.',
      schema: { type: 'string' },
    })
  if (definition.query) {
    const schema = convert(definition.query, 'input', components) as {
      properties?: Record<string, Json>
      required?: string[]
    }
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      list.push({ name, in: 'query', required: schema.required?.includes(name) ?? false, schema: property })
    }
  }
  for (const [name, description] of Object.entries(definition.headers ?? {})) {
    list.push({ name, in: 'header', required: false, description, schema: { type: 'string' } })
  }
  if (definition.idempotencyKey) list.push(idempotencyParameter)
  return list
}

const sessionOrKey: Json[] = [{ session: [] }, { beakKey: [] }, { beakKeyBearer: [] }, { beakKeyQuery: [] }]

const securityOf: Record<Definition['auth'], Json[]> = {
  none: [],
  optional: [{}, ...sessionOrKey],
  session: [{ session: [] }],
  'session-or-agent': sessionOrKey,
  'beak-key': [{ beakKey: [] }, { beakKeyBearer: [] }],
  'bonded-key': [{ beakKey: [] }, { beakKeyBearer: [] }, { beakKeyQuery: [] }],
}

function limitText({ limit }: Definition): string | undefined {
  if (limit === null) return undefined
  const { perMinute, burst } = config().limits[limit]
  return `Limit \`${limit}\`: ${perMinute} a minute, ${burst} at once.`
}

/** Returns the schema of an answer that is not JSON. */
function mediaSchema(media: string): Json {
  return { type: 'string', ...(media === 'application/octet-stream' ? { format: 'binary' } : {}) }
}

function operation(path: string, method: string, definition: Definition, components: Json): Json {
  const words = path
    .replace(/\{\w+\}/, '')
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '' && word !== 'beak')
  const notes = [
    definition.description,
    definition.capability ? `An agent needs the capability \`${definition.capability}\`.` : undefined,
    definition.tier ? `Needs trust tier ${definition.tier} or higher.` : undefined,
    limitText(definition),
  ]
  const media = definition.media ?? 'application/json'
  const schema = definition.media ? mediaSchema(media) : responseSchema(definition.response, components)
  const headers = { ...commonHeaders, ...(definition.idempotencyKey ? replayedHeader : {}) }
  return {
    operationId: definition.operationId,
    tags: [words[0] ?? 'platform'],
    summary: definition.summary,
    description: notes.filter((note) => note !== undefined).join('\n\n'),
    security: securityOf[definition.auth],
    parameters: parameters(path, definition, components),
    ...(definition.body
      ? {
          requestBody: {
            required: false,
            content: { 'application/json': { schema: convert(definition.body, 'input', components) } },
          },
        }
      : {}),
    responses: {
      200: { description: 'Success', headers, content: { [media]: { schema } } },
      ...failureResponses(definition, method),
    },
  }
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem document. `message` equals `detail`. `action` says what to do next.',
  required: ['type', 'title', 'status', 'detail', 'code', 'message', 'success', 'request_id', 'action'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { enum: Object.keys(errorCodes) as ErrorCode[] },
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
    required: { enum: ['passkey', 'fresh_sign_in'], description: 'With E4009: what to do first.' },
  },
}

/** Returns the OpenAPI 3.1 document of a route table. */
export function openapiDocument(routes: Routes, version: string): Json {
  const components: Json = { Problem: problemSchema }
  const paths: Record<string, Json> = {}
  for (const [path, route] of Object.entries(routes)) {
    // The health probes are for the operator, not for clients (contract A, Paths).
    if (!/^\/(beak|\.well-known)(\/|$)/.test(path)) continue
    const entry: Json = {}
    for (const [method, endpoint] of Object.entries(route)) {
      if (endpoint?.definition)
        entry[method.toLowerCase()] = operation(path, method, endpoint.definition, components)
    }
    // The root answers with and without a slash. The specification writes it with one.
    paths[path === '/beak' ? '/beak/' : path] = entry
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Beak',
      version,
      description: 'Identity, trust and permission for people and the agents that act for them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config().baseUrl }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Session token from sign-up or sign-in. Valid for 24 hours.',
        },
        beakKey: { type: 'apiKey', in: 'header', name: 'X-Beak-Key', description: "An agent's beak key." },
        beakKeyBearer: {
          type: 'http',
          scheme: 'bearer',
          description: "An agent's beak key as a bearer token.",
        },
        beakKeyQuery: {
          type: 'apiKey',
          in: 'query',
          name: 'beak_key',
          description: 'Deprecated, because proxies and servers may log it.',
        },
      },
    },
  }
}
