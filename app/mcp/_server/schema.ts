/** Converts schemas of the API to the form that the MCP library takes. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'

type Json = Record<string, unknown>

/** Returns a schema for the arguments of a tool. Makes the JSON Schema once, because each request gets a server of its own. */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return withJson(schema['~standard'].validate, jsonSchemaOf(schema, 'input'))
}

/** Returns a schema for the result of a tool. It validates nothing: the API has applied the schema of its response already. */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return withJson((value) => ({ value }), jsonSchemaOf(schema, 'output'))
}

function withJson(
  validate: StandardSchemaWithJSON['~standard']['validate'],
  json: Json,
): StandardSchemaWithJSON {
  const jsonSchema = { input: () => json, output: () => json }
  return { '~standard': { version: 1, vendor: 'beak', validate, jsonSchema } }
}

/** The members that are copied. Gemini refuses a tool whose schema has others, such as `$schema`, `propertyNames` or `additionalProperties`. */
const copied = [
  'type',
  'description',
  'required',
  'enum',
  'default',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
]

/**
 * Returns the JSON Schema of a schema, with the members that the large clients take. Writes definitions where they are used, because some
 * clients do not follow references. It allows more than the schema does: unknown members, because results may get new ones and a test service adds
 * `test`. Arguments are checked with the schema itself.
 */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return plain(json, ($defs ?? {}) as Record<string, Json>)
}

function plain({ $ref, ...own }: Json, definitions: Record<string, Json>): Json {
  const definition = typeof $ref === 'string' ? definitions[$ref.slice('#/$defs/'.length)] : {}
  const given: Json = { ...definition, ...own }
  const result: Json = Object.fromEntries(
    copied.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  )
  if (typeof given.const === 'string') result.enum = [given.const]
  if (given.format === 'date-time') result.format = given.format
  if (given.items !== undefined) result.items = plain(given.items as Json, definitions)
  const choices = given.anyOf ?? given.oneOf
  if (choices !== undefined) result.anyOf = (choices as Json[]).map((choice) => plain(choice, definitions))
  if (given.properties !== undefined)
    result.properties = Object.fromEntries(
      Object.entries(given.properties as Json).map(([name, member]) => [
        name,
        plain(member as Json, definitions),
      ]),
    )
  return result
}
