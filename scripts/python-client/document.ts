/** Reads the OpenAPI document of the service as a list of operations, in the form that a client needs. */

/** A JSON Schema of the document. Only the members that the service uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  description?: string
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

interface Answer {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}

interface RawOperation {
  operationId: string
  summary: string
  description?: string
  deprecated?: boolean
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
}

export interface Document {
  info: { version: string }
  paths: Record<string, Record<string, RawOperation>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, Answer>
  }
}

/** One input of an operation. */
export interface Field {
  /** As the service writes it. */
  name: string
  in: Parameter['in'] | 'body'
  isRequired: boolean
  schema: Schema
  description: string
}

/** Which credential an operation takes: none, any or none, a session, a beak key, either. */
export type Credential = 'none' | 'optional' | 'session' | 'key' | 'any'

/** How the answer of an operation is read. */
export type AnswerKind = 'json' | 'text' | 'bytes' | 'events'

export interface Operation {
  id: string
  method: string
  path: string
  summary: string
  description: string
  isDeprecated: boolean
  credential: Credential
  fields: Field[]
  takesIdempotencyKey: boolean
  answer: AnswerKind
  answerSchema: Schema
}

const idempotencyHeader = 'Idempotency-Key'
/** The client sets the credential itself. */
const credentialHeader = 'X-Beak-Key'

function answerKindOf(media: string): AnswerKind {
  if (media === 'application/json') return 'json'
  if (media === 'text/event-stream') return 'events'
  return media === 'application/octet-stream' ? 'bytes' : 'text'
}

function credentialOf(security: Record<string, string[]>[]): Credential {
  if (security.length === 0) return 'none'
  const names = new Set(security.flatMap((entry) => Object.keys(entry)))
  if (security.some((entry) => Object.keys(entry).length === 0)) return 'optional'
  if (!names.has('session')) return 'key'
  return names.size === 1 ? 'session' : 'any'
}

/** Returns the last part of a reference such as `#/components/schemas/Peck`. */
export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function resolve<T extends { $ref?: string }>(value: T, components: Record<string, T> | undefined): T {
  if (value.$ref === undefined) return value
  const found = components?.[nameOf(value.$ref)]
  if (found === undefined) throw new Error(`The document has no ${value.$ref}.`)
  return found
}

/** Returns the fields of a body. Of alternatives, a field is required only where every alternative requires it. */
function bodyFields(schema: Schema): Field[] {
  const alternatives = schema.oneOf ?? schema.anyOf ?? [schema]
  const fields = new Map<string, Field>()
  for (const alternative of alternatives)
    for (const [name, property] of Object.entries(alternative.properties ?? {})) {
      const known = fields.get(name)?.schema
      const merged = known === undefined ? property : mergeChoices(name, known, property)
      fields.set(name, {
        name,
        in: 'body',
        isRequired: alternatives.every(({ required = [] }) => required.includes(name)),
        schema: merged,
        description: property.description ?? '',
      })
    }
  return [...fields.values()]
}

/** Merges a field of two alternatives, which differ only in their constant. */
function mergeChoices(name: string, left: Schema, right: Schema): Schema {
  const choices = [left, right].flatMap((schema) => schema.enum ?? [schema.const])
  if (choices.includes(undefined)) throw new Error(`The alternatives of ${name} cannot be merged.`)
  return { type: 'string', enum: [...new Set(choices)] }
}

function readOperation(path: string, method: string, raw: RawOperation, document: Document): Operation {
  const parameters = (raw.parameters ?? []).map((one) => resolve(one, document.components.parameters))
  const success = resolve(raw.responses['200'] ?? {}, document.components.responses)
  const [media = '', content] = Object.entries(success.content ?? {})[0] ?? []
  if (content === undefined) throw new Error(`${raw.operationId} has no answer.`)
  const body = raw.requestBody?.content['application/json']?.schema
  const fields = parameters
    .filter(({ name }) => name !== idempotencyHeader && name !== credentialHeader)
    .map((one) => ({
      name: one.name,
      in: one.in,
      isRequired: one.required ?? false,
      schema: one.schema,
      description: one.description ?? one.schema.description ?? '',
    }))
  return {
    id: raw.operationId,
    method: method.toUpperCase(),
    path,
    summary: raw.summary,
    description: raw.description ?? '',
    isDeprecated: raw.deprecated ?? false,
    credential: credentialOf(raw.security ?? []),
    fields: [...fields, ...(body === undefined ? [] : bodyFields(body))],
    takesIdempotencyKey: parameters.some(({ name }) => name === idempotencyHeader),
    answer: answerKindOf(media),
    answerSchema: content.schema,
  }
}

/** Returns the operations of a document, in its order. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => readOperation(path, method, raw, document)),
  )
}
