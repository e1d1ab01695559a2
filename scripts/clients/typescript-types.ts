/** Writes JSON Schemas as TypeScript types. */
import { componentOf, type Schema } from './reference'

/** Returns a JSDoc comment with a line break at the end, or nothing for an empty text. */
export function comment(text: string): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n')
  if (text.trim() === '') return ''
  if (lines.length === 1) return `/** ${lines[0]} */\n`
  return `/**\n${lines.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`
}

const propertyName = (name: string) => (/^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name))

/** Returns a schema as a TypeScript type. An unknown or empty schema is `unknown`. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return componentOf(schema.$ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(typeOf))
  // `allOf` beside `type` only narrows the values, for instance with a second pattern.
  if (schema.allOf && schema.type === undefined) return schema.allOf.map(typeOf).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })))
  return plainTypeOf(schema)
}

function plainTypeOf(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Uint8Array' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      return arrayOf(typeOf(schema.items ?? {}))
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

const union = (types: string[]) => [...new Set(types)].join(' | ')

const arrayOf = (item: string) => (/^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`)

/** An object that allows other members has only the members that it names: TypeScript accepts a value with more. */
function objectOf({ properties, additionalProperties: rest, ...schema }: Schema): string {
  if (properties && Object.keys(properties).length > 0) return `{\n${members({ ...schema, properties })}}`
  if (properties) return 'object'
  return `Record<string, ${typeof rest === 'object' ? typeOf(rest) : 'unknown'}>`
}

/** How values of a format look. */
const formats: Record<string, string> = { 'date-time': 'Time in UTC (ISO 8601).' }

function describe(schema: Schema): string {
  const parts = [schema, ...(schema.anyOf ?? [])]
  return schema.description ?? formats[parts.find(({ format }) => format)?.format ?? ''] ?? ''
}

/** Returns the members of an object schema, one a line. With `input`, an optional member also accepts `undefined`. */
function members(schema: Schema, input = false): string {
  const required = new Set(schema.required)
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isOptional = !required.has(name)
    const type = `${typeOf(property)}${isOptional && input ? ' | undefined' : ''}`
    return `${comment(describe(property))}${propertyName(name)}${isOptional ? '?' : ''}: ${type}\n`
  })
  return lines.join('')
}

/** Returns the declaration of a named type: an interface for an object, else an alias. */
export function declare(name: string, schema: Schema, input = false): string {
  const text = comment(schema.description ?? '')
  return schema.type === 'object' && schema.properties && !schema.$ref
    ? `${text}export interface ${name} {\n${members(schema, input)}}\n`
    : `${text}export type ${name} = ${typeOf(schema)}\n`
}
