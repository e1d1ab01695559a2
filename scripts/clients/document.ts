/** The API reference as the generators of the clients read it. */
import { table } from '@/app/beak/_api/table'
import { openapiDocument } from '@/lib/http/openapi'
import manifest from '@/package.json'

export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  default?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  format?: string
  description?: string
}

interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  required?: boolean
  description?: string
  schema: Schema
}

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
  components: { schemas: Record<string, Schema> }
}

/** An operation without references to shared parameters and responses. */
export interface Operation {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  summary: string
  description: string
  deprecated: boolean
  /** Kinds of credentials that the operation accepts. Empty: it needs none and reads none. */
  credentials: ('session' | 'key')[]
  parameters: Parameter[]
  body: Schema | null
  media: string
  answer: Schema
}

export interface Reference {
  schemas: Record<string, Schema>
  operations: Operation[]
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
    schemas: document.components.schemas,
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, raw]) => readOperation(path, method, raw, resolve)),
    ),
  }
}

const isReference = (value: unknown): value is { $ref: string } =>
  typeof value === 'object' && value !== null && '$ref' in value

/** Returns the value at a reference such as `#/components/responses/NotFound`. */
function valueAt(document: Document, reference: string): unknown {
  const steps = reference.slice('#/'.length).split('/')
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], document)
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
  return {
    name: raw.operationId,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary: raw.summary,
    // The host can change limits, so they are no part of a client.
    description: (raw.description ?? '').replace(/(^|\n\n)Limit `.*$/s, ''),
    deprecated: raw.deprecated ?? false,
    credentials: [...new Set(credentials)],
    parameters: (raw.parameters ?? []).map(resolve),
    body: raw.requestBody ? (resolve(raw.requestBody).content['application/json']?.schema ?? null) : null,
    media,
    answer,
  }
}
