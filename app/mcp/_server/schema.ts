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

/** Returns the JSON Schema of a schema. Writes definitions where they are used, because some clients do not follow references. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $defs, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return inlined(json, ($defs ?? {}) as Record<string, Json>) as Json
}

function inlined(value: unknown, definitions: Record<string, Json>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, definitions))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  const { id: _, ...definition } =
    typeof $ref === 'string' ? (definitions[$ref.slice('#/$defs/'.length)] ?? {}) : {}
  return Object.fromEntries(
    Object.entries({ ...definition, ...rest }).map(([name, item]) => [name, inlined(item, definitions)]),
  )
}
