/** The description of the API that the clients are made from. */

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
  /** Only the service has it: see `typeOnly`. */
  prefixItems?: Schema[]
  format?: string
  description?: string
}

export interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  required?: boolean
  description?: string
  schema: Schema
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
  body?: Schema | undefined
  media: string
  answer: Schema
}

export interface Reference {
  /** Version of the API. */
  version: string
  schemas: Record<string, Schema>
  operations: Operation[]
  /** The kinds of messages that webhooks get. */
  webhooks: WebhookMessage[]
}

export interface WebhookMessage {
  kind: string
  /** When the message is sent. */
  summary: string
  /** The name of the schema of its `data`. */
  data: string
}

/** Returns the name of the component that a reference points to. */
export const componentOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

/** The description of the service that the clients are made from, below the root. */
export const operationsFile = 'packages/contract/operations.json'

/** Returns the text of that file: a line for each operation, webhook and schema, so that a diff shows what has changed. */
export function referenceText({ version, operations, webhooks, schemas }: Reference): string {
  const lines = (values: string[]) => values.join(',\n')
  return `{
"version": ${JSON.stringify(version)},
"operations": [
${lines(operations.map((operation) => JSON.stringify(operation)))}
],
"webhooks": [
${lines(webhooks.map((webhook) => JSON.stringify(webhook)))}
],
"schemas": {
${lines(Object.entries(schemas).map(([name, schema]) => `${JSON.stringify(name)}: ${JSON.stringify(schema)}`))}
}
}
`
}
