/**
 * Compares two OpenAPI documents of the service and lists what would break a client of the earlier one (docs/versioning.md). Clients ignore
 * unknown fields, so new operations, new optional input and new fields in answers break nothing.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  [keyword: string]: unknown
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: JsonSchema
}

interface Content {
  content?: Record<string, { schema: JsonSchema }>
}

interface Operation {
  operationId: string
  security: Record<string, unknown>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: Content
  responses: Record<string, Content>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; parameters?: Record<string, Parameter> }
}

type Direction = 'input' | 'output'

/** Limits that make input stricter when they appear or shrink, and those that do when they grow. */
const upperLimits = ['maximum', 'maxLength', 'maxItems']
const lowerLimits = ['minimum', 'minLength', 'minItems']

/** Returns the parameters of an operation, also those that are described once for several operations. */
function parametersOf({ parameters = [] }: Operation, { components }: Document): Parameter[] {
  return parameters.flatMap((parameter) =>
    '$ref' in parameter ? (components.parameters?.[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : parameter,
  )
}

/** Returns a media type without its parameters, which version 0.2.0 described too. */
const bareType = (media: string) => media.split(';')[0] ?? media

class Comparison {
  readonly changes: string[] = []
  readonly #seen = new Set<string>()

  constructor(
    readonly before: Document,
    readonly after: Document,
  ) {}

  #resolve(schema: JsonSchema, document: Document): JsonSchema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : (document.components.schemas[name] ?? {})
  }

  /** Compares two schemas. `place` names them in the list of changes. */
  schemas(given: JsonSchema | undefined, now: JsonSchema | undefined, place: string, direction: Direction) {
    if (given === undefined || now === undefined) return
    const pair = `${direction} ${given.$ref} ${now.$ref}`
    // Schemas can contain themselves.
    if (given.$ref !== undefined && this.#seen.has(pair)) return
    if (given.$ref !== undefined) this.#seen.add(pair)
    const before = this.#resolve(given, this.before)
    const after = this.#resolve(now, this.after)
    this.#values(before, after, place, direction)
    if (direction === 'input') this.#limits(before, after, place)
    this.#fields(before, after, place, direction)
    this.schemas(before.items, after.items, `${place}[]`, direction)
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const choices = after[keyword] ?? []
      for (const [index, choice] of (before[keyword] ?? []).entries())
        this.schemas(choice, choices[index], place, direction)
      if (direction === 'input' && keyword !== 'allOf' && choices.length < (before[keyword] ?? []).length)
        this.changes.push(`${place} accepts fewer shapes`)
    }
  }

  #values(before: JsonSchema, after: JsonSchema, place: string, direction: Direction) {
    const [from, to] = direction === 'input' ? [before, after] : [after, before]
    const types = (schema: JsonSchema) => (schema.type === undefined ? [] : [schema.type].flat())
    const widens = (type: string) => type === 'integer' && types(to).includes('number')
    const lost = types(from).filter((type) => !types(to).includes(type) && !widens(type))
    if (types(to).length > 0 && (lost.length > 0 || types(from).length === 0))
      this.changes.push(`${place} changed its type`)
    // New values in answers break nothing: clients treat an unknown value as unknown.
    const values =
      before.enum?.filter((value) => after.enum !== undefined && !after.enum.includes(value)) ?? []
    const isNewList = before.enum === undefined && after.enum !== undefined
    if (direction === 'input' && (values.length > 0 || isNewList))
      this.changes.push(`${place} no longer accepts ${values.join(', ') || 'every value'}`)
  }

  #limits(before: JsonSchema, after: JsonSchema, place: string) {
    const number = (schema: JsonSchema, name: string) => schema[name] as number | undefined
    const isStricter = (name: string, sign: number) => {
      const [from, to] = [number(before, name), number(after, name)]
      return to !== undefined && (from === undefined || sign * (to - from) > 0)
    }
    const stricter = [
      ...upperLimits.filter((name) => isStricter(name, -1)),
      ...lowerLimits.filter((name) => isStricter(name, 1) && number(after, name) !== 0),
      ...['pattern', 'format'].filter((name) => after[name] !== undefined && after[name] !== before[name]),
    ]
    for (const name of stricter) this.changes.push(`${place} has another ${name}`)
  }

  #fields(before: JsonSchema, after: JsonSchema, place: string, direction: Direction) {
    const required = (schema: JsonSchema, name: string) => schema.required?.includes(name) ?? false
    for (const [name, schema] of Object.entries(before.properties ?? {})) {
      const now = after.properties?.[name]
      if (now === undefined) this.changes.push(`${place}.${name} is gone`)
      else if (direction === 'output' && required(before, name) && !required(after, name))
        this.changes.push(`${place}.${name} is no longer always there`)
      this.schemas(schema, now, `${place}.${name}`, direction)
    }
    if (direction === 'output') return
    for (const name of after.required ?? [])
      if (!required(before, name)) this.changes.push(`${place}.${name} is now required`)
  }

  operation(before: Operation, after: Operation | undefined, name: string) {
    if (after === undefined) {
      this.changes.push(`${name} is gone`)
      return
    }
    if (before.operationId !== after.operationId)
      this.changes.push(`${name} was ${before.operationId} and is now ${after.operationId}`)
    const ways = after.security.map((way) => Object.keys(way).join())
    for (const way of before.security.map((keys) => Object.keys(keys).join()))
      if (after.security.length > 0 && !ways.includes(way))
        this.changes.push(`${name} no longer accepts ${way || 'a call without a credential'}`)
    if (before.security.length === 0 && after.security.length > 0 && !ways.includes(''))
      this.changes.push(`${name} now needs a credential`)
    this.#parameters(parametersOf(before, this.before), parametersOf(after, this.after), name)
    const body = (content?: Content) => content?.content?.['application/json']?.schema
    this.schemas(body(before.requestBody), body(after.requestBody), `${name} body`, 'input')
    const required = body(before.requestBody) === undefined ? body(after.requestBody)?.required : undefined
    for (const field of required ?? []) this.changes.push(`${name} body.${field} is now required`)
    const answers = after.responses['200']?.content ?? {}
    for (const [media, { schema }] of Object.entries(before.responses['200']?.content ?? {})) {
      const now = answers[media] ?? answers[bareType(media)]
      if (now === undefined) this.changes.push(`${name} no longer answers with ${media}`)
      else this.schemas(schema, now.schema, `${name} answer`, 'output')
    }
  }

  #parameters(before: Parameter[], after: Parameter[], name: string) {
    const find = (list: Parameter[], { name: wanted, in: place }: Parameter) =>
      list.find((parameter) => parameter.name === wanted && parameter.in === place)
    for (const parameter of before) {
      const now = find(after, parameter)
      if (now === undefined) this.changes.push(`${name} ${parameter.in} ${parameter.name} is gone`)
      else this.schemas(parameter.schema, now.schema, `${name} ${parameter.in} ${parameter.name}`, 'input')
    }
    for (const parameter of after)
      if (parameter.required && !find(before, parameter)?.required)
        this.changes.push(`${name} ${parameter.in} ${parameter.name} is now required`)
  }
}

/** Returns what breaks clients of `before` in `after`, one line each. Empty when nothing does. */
export function breakingChanges(before: Document, after: Document): string[] {
  const comparison = new Comparison(before, after)
  // The root answers with and without a slash at its end. Version 0.2.0 described it with one.
  const pathOf = (path: string) => (after.paths[path] === undefined ? path.replace(/\/$/, '') : path)
  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, operation] of Object.entries(methods))
      comparison.operation(operation, after.paths[pathOf(path)]?.[method], `${method.toUpperCase()} ${path}`)
  return comparison.changes
}

/** Returns the file of the newest release in a folder of API references, or undefined when there is none. */
export function newestRelease(folder: string): string | undefined {
  const { compare } = new Intl.Collator('en', { numeric: true })
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort(compare)
    .at(-1)
  return newest === undefined ? undefined : join(folder, newest)
}
