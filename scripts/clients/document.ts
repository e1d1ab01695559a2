/** The API reference as the generators of the clients read it. */
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import manifest from '@/package.json' with { type: 'json' }
import {
  componentOf,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
  type WebhookMessage,
} from './reference'

type Content = Record<string, { schema: Schema }>

interface RawOperation {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  security?: Record<string, unknown>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content } | { $ref: string }
  responses: Record<string, { content?: Content } | { $ref: string }>
}

interface Document {
  paths: Record<string, Record<string, RawOperation>>
  webhooks: Record<string, { post: { summary: string; requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema> }
}

const credentialOf: Record<string, 'session' | 'key'> = {
  session: 'session',
  beakKey: 'key',
  beakKeyBearer: 'key',
  beakKeyQuery: 'key',
}

/** Returns the operations and schemas of the API, from the code. Needs no server and no database. */
export function readReference(): Reference {
  const document = JSON.parse(JSON.stringify(openapiDocument(table, manifest.version))) as Document
  const resolve = <T>(value: T | { $ref: string }): T =>
    isReference(value) ? resolve(valueAt(document, value.$ref) as T) : value
  return {
    version: manifest.version,
    schemas: mapValues(document.components.schemas, typeOnly),
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => readOperation(path, method, raw, resolve)),
    ),
    webhooks: Object.entries(document.webhooks).map(([kind, { post }]) => readWebhook(kind, post)),
  }
}

const mapValues = <Value, Result>(object: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))

/** Returns what a schema says about types. Lengths and patterns are checked by the service alone. */
function typeOnly(schema: Schema): Schema {
  const { $ref, type, default: fallback, enum: choices, required, format, description } = schema
  const { anyOf, oneOf, allOf, properties, additionalProperties } = schema
  // The places of a list with a fixed length all have the form of the first.
  const items = schema.prefixItems?.[0] ?? schema.items
  return definedOnly({
    $ref,
    type,
    ...('const' in schema ? { const: schema.const } : {}),
    default: fallback,
    enum: choices,
    anyOf: anyOf?.map(typeOnly),
    oneOf: oneOf?.map(typeOnly),
    allOf: allOf?.map(typeOnly),
    properties: properties && mapValues(properties, typeOnly),
    required,
    additionalProperties:
      typeof additionalProperties === 'object' ? typeOnly(additionalProperties) : additionalProperties,
    items: items && typeOnly(items),
    format: format === 'binary' || format === 'date-time' ? format : undefined,
    description,
  })
}

const definedOnly = <T extends object>(object: T) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T

const isReference = (value: unknown): value is { $ref: string } =>
  typeof value === 'object' && value !== null && '$ref' in value

/** Returns the value at a reference such as `#/components/responses/NotFound`. */
function valueAt(document: Document, reference: string): unknown {
  const steps = reference.slice('#/'.length).split('/')
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document)
}

function readWebhook(
  kind: string,
  { summary, requestBody }: Document['webhooks'][string]['post'],
): WebhookMessage {
  const reference = requestBody.content['application/json']?.schema.properties?.data?.$ref
  if (reference === undefined) throw new Error(`The data of ${kind} has no schema with an id.`)
  return { kind, summary, data: componentOf(reference) }
}

function readOperation(
  path: string,
  method: string,
  raw: RawOperation,
  resolve: <T>(value: T | { $ref: string }) => T,
): Operation {
  const requirements = (raw.security ?? []).map((requirement) => Object.keys(requirement)[0])
  const credentials = requirements.flatMap((name) => credentialOf[name ?? ''] ?? [])
  const content = resolve(raw.responses[200] ?? {}).content ?? {}
  const [media = '', { schema: answer } = { schema: {} }] = Object.entries(content)[0] ?? []
  const body = raw.requestBody && resolve(raw.requestBody).content['application/json']?.schema
  return {
    name: raw.operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary: raw.summary,
    // The host can change limits, so they are no part of a client.
    description: (raw.description ?? '').replace(/(^|\n\n)Limit `.*$/s, ''),
    deprecated: raw.deprecated ?? false,
    credentials: [...new Set(credentials)],
    parameters: (raw.parameters ?? [])
      .map(resolve)
      .map(({ name, in: place, required, description, schema }) =>
        definedOnly({ name, in: place, required, description, schema: typeOnly(schema) }),
      ),
    body: body && typeOnly(body),
    media,
    answer: typeOnly(answer),
  }
}
