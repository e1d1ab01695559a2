/** Generates the parts of the TypeScript client that follow the API reference. */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Operation, Reference, Schema, WebhookMessage } from './reference'
import { comment, declare } from './typescript-types'

/** Folder of the generated files, below the root. */
export const typescriptFolder = 'packages/client/src/generated'

const notice = '/** Generated from packages/contract/operations.json. Do not edit. */\n'

/** Headers that the client sends by itself. */
const ownHeaders = ['x-beak-key', 'idempotency-key']

const isStream = ({ media }: Operation) => media === 'text/event-stream'
const capitalized = (name: string) => `${name[0]?.toUpperCase()}${name.slice(1)}`

/** Returns the name of the input field for a header: `X-Peck-Grant` → `peck_grant`. */
const fieldOfHeader = (header: string) => header.toLowerCase().replace(/^x-/, '').replaceAll('-', '_')

function inputParameters({ parameters }: Operation): Operation['parameters'] {
  return parameters.filter(({ name }) => !ownHeaders.includes(name.toLowerCase()))
}

/** Returns the schema of all fields of an operation together: path, query, headers and body. */
function inputOf(operation: Operation): Schema | null {
  const parameters = inputParameters(operation)
  if (operation.body && parameters.length === 0) return operation.body
  if (operation.body) throw new Error(`${operation.name} has parameters and a body`)
  if (parameters.length === 0) return null
  const nameOf = ({ in: place, name }: (typeof parameters)[number]) =>
    place === 'header' ? fieldOfHeader(name) : name
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map((parameter) => [
        nameOf(parameter),
        { ...parameter.schema, ...(parameter.description ? { description: parameter.description } : {}) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(nameOf),
  }
}

/** Returns the type of an answer and, unless a component has it, its declaration. */
function outputOf({ name, answer, media }: Operation): { type: string; declaration: string } {
  if (media !== 'application/json')
    return { type: media === 'application/octet-stream' ? 'Uint8Array' : 'string', declaration: '' }
  if (answer.$ref) return { type: answer.$ref.slice(answer.$ref.lastIndexOf('/') + 1), declaration: '' }
  const type = `${capitalized(name)}Output`
  return { type, declaration: declare(type, answer) }
}

function description(operation: Operation): string {
  const lines = [operation.summary, operation.description, `\`${operation.method} ${operation.path}\``]
  if (operation.deprecated) lines.push('@deprecated')
  return lines.filter((line) => line !== '').join('\n\n')
}

/** Returns the entry of an operation in the table that the client reads at run time. */
function tableEntry(operation: Operation): string {
  const headers = inputParameters(operation).filter((parameter) => parameter.in === 'header')
  const isRaw = operation.media !== 'application/json'
  const entry = {
    method: operation.method,
    path: operation.path,
    credentials: operation.credentials,
    ...(headers.length > 0
      ? { headers: Object.fromEntries(headers.map(({ name }) => [fieldOfHeader(name), name])) }
      : {}),
    ...(operation.parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key')
      ? { acceptsIdempotencyKey: true }
      : {}),
    ...(isRaw ? { answer: operation.media === 'application/octet-stream' ? 'bytes' : 'text' } : {}),
  }
  return `${operation.name}: ${JSON.stringify(entry)},\n`
}

/** Returns the fields of a schema, also of one with several forms. */
function fieldsOf(
  schema: Schema,
  schemas: Reference['schemas'],
): Map<string, Schema & { isRequired: boolean }> {
  if (schema.$ref)
    return fieldsOf(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}, schemas)
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const own = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, { ...field, isRequired: schema.required?.includes(name) ?? false }] as const,
  )
  return new Map([...forms.flatMap((form) => [...fieldsOf(form, schemas)]), ...own])
}

/** Returns how a field is written on a command line: as text, number, true or false, or JSON. */
function typedAs({ type, anyOf, enum: choices }: Schema): 'string' | 'number' | 'boolean' | 'json' {
  const types = [type, ...(anyOf ?? []).map((form) => form.type)].flat()
  if (types.includes('object') || types.includes('array')) return 'json'
  if (types.includes('string') || choices) return 'string'
  if (types.includes('integer') || types.includes('number')) return 'number'
  return types.includes('boolean') ? 'boolean' : 'string'
}

/** Returns the entry of an operation for the command line: what it does, and its fields. */
function describedEntry(operation: Operation, schemas: Reference['schemas']): string {
  const fields = [...fieldsOf(inputOf(operation) ?? {}, schemas)].map(([name, field]) => [
    name,
    {
      type: typedAs(field),
      ...(field.isRequired ? { required: true } : {}),
      ...(field.enum ? { choices: field.enum } : {}),
      ...(field.description ? { description: field.description } : {}),
    },
  ])
  return `${operation.name}: ${JSON.stringify({ summary: operation.summary, fields: Object.fromEntries(fields) })},\n`
}

function method(operation: Operation, output: string): string {
  const { name } = operation
  const input = inputOf(operation)
  const text = comment(description(operation))
  if (input === null)
    return `${text}${name}(options?: CallOptions): Promise<${output}> {\nreturn this.call('${name}', {}, options)\n}\n`
  const isOptional = input.type === 'object' && (input.required ?? []).length === 0
  const parameter = `input: ${capitalized(name)}Input${isOptional ? ' = {}' : ''}`
  return `${text}${name}(${parameter}, options?: CallOptions): Promise<${output}> {\nreturn this.call('${name}', input, options)\n}\n`
}

/** Lists the names that a text uses out of a set of names, for an import. */
function usedNames(text: string, names: string[]): string {
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')
}

/** Returns the types of the messages of webhooks. */
function webhooksText(webhooks: WebhookMessage[]): string {
  const members = webhooks.map(({ kind, summary, data }) => `${comment(`${summary}.`)}'${kind}': ${data}\n`)
  const names = [...new Set(webhooks.map(({ data }) => data))]
  return `${notice}
import type { ${names.join(', ')} } from './schemas'

export type { ${names.join(', ')} }

/** The data of each kind of event. */
export interface WebhookData {
${members.join('')}}

/** The kinds that this version knows, for \`kinds\` of \`createWebhook\`. */
export const webhookKinds: (keyof WebhookData)[] = [${webhooks.map(({ kind }) => `'${kind}'`).join(', ')}]
`
}

/** Returns the generated files: path below the root → text. */
export function generateTypescript({ schemas, operations, webhooks }: Reference): Map<string, string> {
  const calls = operations.filter((operation) => !isStream(operation))
  const outputs = new Map(calls.map((operation) => [operation.name, outputOf(operation)]))
  const outputType = ({ name }: Operation) => outputs.get(name)?.type ?? 'unknown'

  const components = Object.entries(schemas).map(([name, schema]) => declare(name, schema))
  const schemasText = `${notice}\n${components.join('\n')}`

  const declarations = calls.flatMap((operation) => {
    const input = inputOf(operation)
    const name = `${capitalized(operation.name)}Input`
    return [
      input ? `${comment(`Fields of {@link Beak.${operation.name}}.`)}${declare(name, input, true)}` : '',
      outputs.get(operation.name)?.declaration ?? '',
    ]
  })
  const pairs = calls.map((operation) => {
    const input = inputOf(operation) ? `${capitalized(operation.name)}Input` : 'NoInput'
    return `${operation.name}: { input: ${input}; output: ${outputType(operation)} }\n`
  })
  const typesBody = `/** An operation without fields. */
export type NoInput = Record<string, never>
${declarations.filter((text) => text !== '').join('\n')}
/** Input and output of each operation. */
export interface OperationTypes {
${pairs.join('')}}
`
  const typesText = `${notice}\nimport type { ${usedNames(typesBody, Object.keys(schemas))} } from './schemas'
${typesBody}`

  const tableText = `${notice}
import type { OperationTypes } from './types'

/** How an operation is called. */
export interface OperationInfo {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Path with parameters in braces. They are in the input, under their names. */
  readonly path: string
  /** Kinds of credentials that the operation accepts. Empty: it reads none. */
  readonly credentials: readonly ('session' | 'key')[]
  /** Fields of the input that travel as headers. The other fields are the query of a GET, else the body. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the operation accepts an \`Idempotency-Key\`, so that a repeated call has no second effect. */
  readonly acceptsIdempotencyKey?: true
  /** How the answer is read. Default: JSON. */
  readonly answer?: 'text' | 'bytes'
}

/** Every operation of the API, by its \`operationId\`. */
export const operations: Readonly<Record<keyof OperationTypes, OperationInfo>> = {
${calls.map(tableEntry).join('')}}
`
  const describedText = `${notice}
import type { OperationTypes } from './types'

/** A field of an operation. */
export interface FieldInfo {
  readonly type: 'string' | 'number' | 'boolean' | 'json'
  readonly required?: true
  readonly choices?: readonly string[]
  readonly description?: string
}

/** What the command line shows of each operation. */
export const described: Readonly<
  Record<keyof OperationTypes, { readonly summary: string; readonly fields: Readonly<Record<string, FieldInfo>> }>
> = {
${calls.map((operation) => describedEntry(operation, schemas)).join('')}}
`
  const inputNames = calls.filter(inputOf).map(({ name }) => `${capitalized(name)}Input`)
  const ownOutputs = calls.filter(({ name }) => outputs.get(name)?.declaration).map(outputType)
  const sharedOutputs = [...new Set(calls.map(outputType))].filter((name) => name in schemas)
  const classBody = calls.map((operation) => method(operation, outputType(operation))).join('\n')
  const methodsText = `${notice}
import type { CallOptions } from '../options'
import type { ${sharedOutputs.join(', ')} } from './schemas'
import type { ${[...inputNames, ...ownOutputs, 'OperationTypes'].join(', ')} } from './types'

/** One method for each operation of the API. */
export abstract class BeakOperations {
  /**
   * Calls an operation by its name. The methods below call this.
   *
   * @throws BeakError when the service refuses, BeakConnectionError without an answer, BeakAnswerError for an answer that is not Beak's.
   */
  abstract call<Name extends keyof OperationTypes>(
    name: Name,
    input: OperationTypes[Name]['input'],
    options?: CallOptions,
  ): Promise<OperationTypes[Name]['output']>

${classBody}}
`
  const files = {
    schemas: schemasText,
    types: typesText,
    operations: tableText,
    described: describedText,
    methods: methodsText,
    webhooks: webhooksText(webhooks),
  }
  return new Map(Object.entries(files).map(([name, text]) => [`${typescriptFolder}/${name}.ts`, text]))
}

/** Writes the generated files, which Git does not have. */
export function writeTypescript(reference: Reference): void {
  mkdirSync(typescriptFolder, { recursive: true })
  for (const [path, text] of generateTypescript(reference)) writeFileSync(path, text)
}
