/** Describes JSON Schemas for readers: the type in words, further rules, and nested fields. */

import { z } from 'zod'
import { handleField } from '@/lib/kernel/request/handle'
import { listWithOr } from '@/lib/kernel/text/list-words'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  minItems?: number
  default?: unknown
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  /** False beside `prefixItems`: no further places. */
  items?: Schema | false
  /** The places of a list with a fixed length. */
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  additionalProperties?: Schema | boolean
}

export type Components = Record<string, Schema>

/** A field of an object: `items[].peck_id`. */
export interface Field {
  name: string
  type: string
  isRequired: boolean
  /** Further rules besides the type. */
  notes: string[]
  description: string | null
}

/** Returns the schema that a `$ref` names, or the schema itself. */
export function resolve(schema: Schema, components: Components): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : { ...components[name], ...omitRef(schema) }
}

function omitRef({ $ref: _, ...rest }: Schema): Schema {
  return rest
}

/** Returns the alternatives of a schema, without null. */
function choicesOf(schema: Schema): Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== 'null')
}

const formats: Record<string, string> = {
  'date-time': 'time',
  email: 'email address',
  uri: 'URL',
}

/** Returns the schema of the places of a list. A list of a fixed length has places of one form. */
const itemsOf = ({ items, prefixItems }: Schema): Schema | undefined =>
  prefixItems?.[0] ?? (items || undefined)

/** Returns a type in words: "text", "whole number or null", "list of Peck". */
export function typeOf(schema: Schema, components: Components): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'object'
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return listWithOr(new Set(choices.map((choice) => typeOf(choice, components))))
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' · ')
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any']
  return listWithOr(types.map((type) => plainType(type, schema, components)))
}

function plainType(type: string, schema: Schema, components: Components): string {
  if (type === 'string') return formats[schema.format ?? ''] ?? 'text'
  if (type === 'integer') return 'whole number'
  if (type === 'boolean') return 'true or false'
  if (type === 'array') return `list of ${typeOf(itemsOf(schema) ?? {}, components)}`
  return type
}

/** The pattern of texts that people write. The reference explains it in words. */
const noControlCharacters = String.raw`^[^\u0000-\u0008\u000b-\u001f\u007f]*$`

/** Whether the service sets this limit. JavaScript's limit for whole numbers does not count. */
const isOwnLimit = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (isOwnLimit(least) && isOwnLimit(most) && (least > 0 || unit === '')) return [`${least}–${most}${unit}`]
  if (isOwnLimit(most)) return [`at most ${most}${unit}`]
  return isOwnLimit(least) && least > 0 ? [`at least ${least}${unit}`] : []
}

/** Returns the pattern of an id or of a handle in words, and other patterns as they are. */
function formOf(pattern: string): string {
  if (pattern === patternOf(handleField)) return '3–24 letters, digits and hyphens'
  const prefix = /^\^([A-Z]+)-\[/.exec(pattern)?.[1]
  return prefix === undefined ? `matches ${pattern}` : `an id: ${prefix}-…`
}

const patternOf = (field: z.ZodType) => z.toJSONSchema(field).pattern

/** Returns the rules besides the type, in words. */
export function notesOf(schema: Schema): string[] {
  const inner = choicesOf(schema)[0] ?? {}
  const { pattern, minLength, maxLength, minimum, maximum } = { ...inner, ...schema }
  const hasPattern = pattern !== undefined && pattern !== noControlCharacters
  return [
    ...range(minLength, maxLength, ' characters'),
    ...range(minimum, maximum, ''),
    ...range(schema.minItems, schema.maxItems, ' entries'),
    ...(hasPattern ? [formOf(pattern)] : []),
    ...(pattern === noControlCharacters ? ['no control characters'] : []),
    ...(schema.default === undefined || schema.default === null
      ? []
      : [`default ${JSON.stringify(schema.default)}`]),
  ]
}

/** How many levels of nested objects are listed. */
const depthMax = 4

/** Returns the fields of an object. The fields of nested objects follow their parent and are named by their path. */
export function fieldsOf(schema: Schema, components: Components, prefix = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = resolve(schema, components)
  return Object.entries(properties).flatMap(([name, property]) => {
    const inner = resolve(property, components)
    const field: Field = {
      name: `${prefix}${name}`,
      type: typeOf(property, components),
      isRequired: required.includes(name),
      notes: notesOf(inner),
      description: inner.description ?? null,
    }
    return [field, ...(depth < depthMax ? nestedFields(inner, components, `${prefix}${name}`, depth) : [])]
  })
}

function nestedFields(schema: Schema, components: Components, name: string, depth: number): Field[] {
  if (schema.properties) return fieldsOf(schema, components, `${name}.`, depth + 1)
  const items = itemsOf(schema)
  if (items) return nestedFields(resolve(items, components), components, `${name}[]`, depth)
  return choicesOf(schema).flatMap((choice) =>
    nestedFields(resolve(choice, components), components, name, depth),
  )
}

/** Returns the shapes that a response or a body can have, usually one. */
export function shapesOf(schema: Schema, components: Components): Schema[] {
  const whole = resolve(schema, components)
  const choices = choicesOf(whole)
  return choices.length > 0 ? choices : [whole]
}
