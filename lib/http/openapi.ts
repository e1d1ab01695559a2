/** The messages that webhooks get, for the API reference. */

import { type WebhookKind, webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { exampleDecision } from '@/lib/infrastructure/events/kinds/kind'
import { config } from '@/lib/kernel/config'
import { perDay } from '@/lib/kernel/config/limits'
import { type SensitiveChange, sensitiveChanges } from './changes'
import type { Definition } from './definition'
import type { Endpoint } from './endpoint'
import {
  convert,
  convertAnswer,
  failureResponses,
  headers,
  type Json,
  problemSchema,
} from './openapi-schemas'
import { tagOf, tags } from './tags'

/** Returns an example of a whole message, as it is sent. */
export function exampleMessage(kind: WebhookKind): { type: WebhookKind; timestamp: string; data: unknown } {
  const { data, example } = webhookMessages[kind]
  return { type: kind, timestamp: exampleDecision.toISOString(), data: data.parse(example) }
}

function messageSchema(kind: WebhookKind, schemas: Json): Json {
  return {
    type: 'object',
    description:
      'A signed message (Standard Webhooks). The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` belong to it.',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: kind },
      timestamp: { type: 'string', format: 'date-time' },
      data: convertAnswer(webhookMessages[kind].data, schemas),
      test: {
        type: 'boolean',
        const: true,
        description: 'Only in messages of a test service (`beak dev`), which prove nothing.',
      },
    },
  }
}

/** Returns the operations of all kinds, and adds the schemas of their data to the components. */
export function webhooks(schemas: Json): Json {
  const message = (kind: WebhookKind): Json => ({
    post: {
      operationId: kind.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['webhooks'],
      summary: webhookMessages[kind].when(),
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: messageSchema(kind, schemas), example: exampleMessage(kind) },
        },
      },
      responses: { '2XX': { $ref: '#/components/responses/Received' } },
    },
  })
  return Object.fromEntries(webhookKinds.map((kind) => [kind, message(kind)]))
}

/**
 * Derives the API reference (OpenAPI 3.1) from the route table, the schemas of the endpoints, the failure table and the limit
 * table, so the reference always fits the code.
 */

type Routes = Record<string, Partial<Record<string, Endpoint>>>

interface Components {
  schemas: Json
  responses: Json
}

function parameters(path: string, definition: Definition, schemas: Json): Json[] {
  const list: Json[] = []
  if (path.endsWith('/{n}'))
    list.push({
      name: 'n',
      in: 'path',
      required: true,
      description: 'The number of the list, from 0.',
      schema: { type: 'integer', minimum: 0 },
    })
  if (path.endsWith('/{path}'))
    list.push({
      name: 'path',
      in: 'path',
      required: true,
      description: 'The rest of the path, with its slashes.',
      schema: { type: 'string' },
    })
  if (definition.query) {
    const { properties = {}, required = [] } = convert(definition.query, 'input', schemas) as {
      properties?: Record<string, Json>
      required?: string[]
    }
    for (const [name, schema] of Object.entries(properties))
      list.push({ name, in: 'query', ...(required.includes(name) ? { required: true } : {}), schema })
  }
  if (definition.idempotencyKey) list.push({ $ref: '#/components/parameters/Idempotency-Key' })
  for (const [name, description] of Object.entries(definition.headers ?? {}))
    list.push({ name, in: 'header', description, schema: { type: 'string' } })
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

function deprecationText({ deprecated }: Definition): string | undefined {
  if (deprecated === undefined) return undefined
  const end = deprecated.sunset === undefined ? '' : ` It may be gone from ${deprecated.sunset} on.`
  return `Deprecated since ${deprecated.since}.${end}`
}

function limitText({ limit, budget }: Definition): string | undefined {
  if (limit === null) return undefined
  const { perMinute, burst } = config().limits[limit]
  const limitWords = `Limit \`${limit}\`: ${perMinute} a minute, ${burst} at once.`
  if (budget === undefined) return limitWords
  const spent = config().limits[budget]
  return `${limitWords} Budget \`${budget}\`: ${perDay(spent)} a day, ${spent.burst} at once.`
}

function sensitiveText({ operationId }: Definition): string | undefined {
  if (!Object.hasOwn(sensitiveChanges, operationId)) return undefined
  const { why, when } = sensitiveChanges[operationId] as SensitiveChange
  return `A sensitive change, which ${why}: ${when}.`
}

/** Returns the schema of an answer that is not JSON. */
function mediaSchema(media: string): Json {
  return { type: 'string', ...(media === 'application/octet-stream' ? { format: 'binary' } : {}) }
}

function operation(
  path: string,
  method: string,
  definition: Definition,
  { schemas, responses }: Components,
): Json {
  const notes = [
    deprecationText(definition),
    definition.description,
    definition.capability ? `An agent needs the capability \`${definition.capability}\`.` : undefined,
    definition.tier ? `Needs trust tier ${definition.tier} or higher.` : undefined,
    limitText(definition),
    // Last, where the clients cut them off.
    sensitiveText(definition),
    ...(definition.remarks ?? []),
  ]
  // Validators look for the bare type: parameters such as `charset` are no part of it here.
  const [media = ''] = (definition.media ?? 'application/json').split(';')
  const schema = definition.media ? mediaSchema(media) : convertAnswer(definition.response, schemas)
  const given = parameters(path, definition, schemas)
  return {
    operationId: definition.operationId,
    tags: [tagOf(path)],
    summary: definition.summary,
    description: notes.filter((note) => note !== undefined).join('\n\n'),
    ...(definition.deprecated ? { deprecated: true } : {}),
    security: securityOf[definition.auth],
    ...(given.length > 0 ? { parameters: given } : {}),
    ...(definition.body
      ? {
          requestBody: {
            content: { 'application/json': { schema: convert(definition.body, 'input', schemas) } },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Success',
        ...(definition.idempotencyKey ? { headers: replayed } : {}),
        content: { [media]: { schema } },
      },
      ...failureResponses(definition, method, responses),
    },
    ...(definition.failures ? { 'x-failures': definition.failures } : {}),
  }
}

const replayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the request again: a repeat with the same key within 24 hours gets the answer of the first. Make a new key for each request, such as a random UUID. Bare, or as a quoted string.',
  schema: { type: 'string', minLength: 1 },
}

const description = [
  'Identity, trust and permission for people and the agents that act for them.',
  'Every answer has these headers. `X-Request-Id`: the id of the request; a valid id that the client sent is kept. `RateLimit`: the remaining requests as `"group";r=remaining;t=seconds until one more`. `RateLimit-Policy`: `"group";q=requests;w=60;burst=at once`.',
  'On a test service (`beak dev`), every JSON answer but a receipt also has `test: true`: what it says proves nothing.',
  'An answer may get further fields at any time, so ignore fields that you do not know. `x-failures` names the values of `reason` that an operation has besides those of every operation with the same credential.',
].join('\n\n')

/** Returns the OpenAPI 3.1 document of a route table. */
export function openapiDocument(routes: Routes, version: string): Json {
  const components: Components = {
    schemas: { Problem: problemSchema },
    responses: {
      Received: { description: 'The message has arrived. Any other answer means: send it again later.' },
    },
  }
  const paths: Record<string, Json> = {}
  for (const [path, route] of Object.entries(routes)) {
    // The health probes are for the operator, not for clients (contract A, Paths).
    if (!/^\/(beak|\.well-known)(\/|$)/.test(path)) continue
    const entry: Json = {}
    for (const [method, endpoint] of Object.entries(route)) {
      if (endpoint?.definition)
        entry[method.toLowerCase()] = operation(path, method, endpoint.definition, components)
    }
    paths[path] = entry
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Beak',
      version,
      description,
      contact: { name: 'Support', url: `${config().baseUrl}/support` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config().baseUrl }],
    tags: tags.map(({ title, ...tag }) => ({ ...tag, 'x-displayName': title })),
    paths,
    webhooks: webhooks(components.schemas),
    components: {
      ...components,
      parameters: { 'Idempotency-Key': idempotencyKey },
      headers,
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
          description:
            "An agent's beak key as a bearer token, or the access token of a connected agent for the resource `/beak`.",
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
