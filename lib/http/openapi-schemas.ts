/** Converts the schemas of endpoints to JSON Schema for the API reference. */
import { z } from 'zod'

export type Json = Record<string, unknown>

/** The bounds that `z.int()` sets. Whole numbers in JSON have them anyway. */
const isOwnBound = (bound: number | undefined) =>
  bound !== undefined && Math.abs(bound) !== Number.MAX_SAFE_INTEGER

const isJustText = (schema: unknown) => JSON.stringify(schema) === '{"type":"string"}'

/** Removes rules that exclude nothing. Answers keep no ban of further fields, because a later version may add fields. */
function shorten(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  if (!isOwnBound(schema.minimum)) delete schema.minimum
  if (!isOwnBound(schema.maximum)) delete schema.maximum
  if (isJustText(schema.propertyNames)) delete schema.propertyNames
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
  const { prefixItems } = schema
  // Lists of a fixed length have items of one form here, and not every program knows `prefixItems`.
  if (prefixItems !== undefined) {
    delete schema.prefixItems
    Object.assign(schema, {
      items: prefixItems[0],
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    })
  }
  const [choice, other, ...more] = schema.anyOf ?? []
  if (other?.type === 'null' && more.length === 0 && isPlain(choice)) {
    delete schema.anyOf
    Object.assign(schema, choice, { type: [choice.type, 'null'] })
  }
}

/** Whether `type: [<type>, "null"]` can say that a schema also allows null. */
const isPlain = (schema: z.core.JSONSchema.BaseSchema | undefined): schema is z.core.JSONSchema.BaseSchema =>
  typeof schema?.type === 'string' && schema.enum === undefined && schema.const === undefined

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

/** Returns a schema as JSON Schema. Its parts with an id become components. */
export function convert(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => shorten(jsonSchema, io),
  })
  return moveDefinitions(converted as Json, components)
}

/** Returns the schema of an answer. A schema with an id becomes a component. */
export function convertAnswer(schema: z.ZodType, components: Json): Json {
  const converted = convert(schema, 'output', components)
  const id = schema.meta()?.id
  if (typeof id !== 'string' || '$ref' in converted) return converted
  components[id] = converted
  return { $ref: `#/components/schemas/${id}` }
}
