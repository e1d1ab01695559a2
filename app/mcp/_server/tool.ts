/** Converts schemas of the API to the form that the MCP library takes. */

import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Result } from '@/app/_web/api'
import type { Problem } from '@/app/_web/problem'
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import type { PlainInput } from '@/app/beak/_api/plain-call'
import type { KeyCaller } from '@/lib/kernel/request/context'
import { errorCodes, type FailureName, failureTable } from '@/lib/kernel/request/failures'
import { runCancellable } from './cancellation'
import type { Opening } from './message'

type Json = Record<string, unknown>

/** Returns a schema for the arguments of a tool. Makes the JSON Schema once, because each request gets a server of its own. */
function inputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return withJson(schema['~standard'].validate, jsonSchemaOf(schema, 'input'))
}

/** Returns a schema for the result of a tool. It validates nothing: the API has applied the schema of its response already. */
function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
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

/** How a tool is declared, and the form of its results. */

/** Calls an endpoint of the API with the key of the agent. Refusals are returned, not thrown. */
export type AgentApi = <L extends Line>(
  line: L,
  input?: PlainInput<L>,
  signal?: AbortSignal,
) => Promise<Result<ResponseOf<L>>>

/** One HTTP request to the MCP server. */
export interface Connection {
  caller: KeyCaller
  /** The same for all requests of one client. A request without session id counts as a client of its own. */
  client: string
  api: AgentApi
  opening: Opening
}

type ToolResult = CallToolResult | InputRequiredResult

interface Definition<I extends z.ZodType> {
  name: string
  title: string
  /** For the model: when to call the tool, and what to do with the result. */
  description: string
  annotations: ToolAnnotations
  input: I
  /** Without it, the result is text alone. */
  output?: z.ZodType
  run(input: z.output<I>, connection: Connection, context: ServerContext): Promise<ToolResult>
}

/** The hints of a tool that changes nothing. */
export const readOnly = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} satisfies ToolAnnotations

export interface Tool {
  register(server: McpServer, connection: Connection): void
}

/** Declares a tool. Makes its JSON Schemas, so call it once for each tool. */
export function tool<I extends z.ZodType>(definition: Definition<I>): Tool {
  const { name, title, description, annotations, input, output, run } = definition
  const config = {
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: inputSchema(input),
    ...(output === undefined ? {} : { outputSchema: outputSchema(output) }),
  }
  return {
    register(server, connection) {
      server.registerTool(name, config, (given, context) => {
        const { mcpReq } = context
        return runCancellable(connection.client, mcpReq.id, mcpReq.signal, (signal) =>
          run(given as z.output<I>, connection, { ...context, mcpReq: { ...mcpReq, signal } }),
        )
      })
    },
  }
}

/** Returns a result: a sentence that says what to do next, when there is one, and the data as text and as structured content. */
export function success(data: object, sentence?: string): CallToolResult {
  const texts = [...(sentence === undefined ? [] : [sentence]), JSON.stringify(data)]
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: data as Record<string, unknown>,
  }
}

/** Returns a refusal of the API as the error of a tool: a sentence with code, text and action, and the members of the problem. */
export function refusal(problem: Problem): CallToolResult {
  const { code, detail, action } = problem
  const texts = [`${code}: ${detail} ${action}`, JSON.stringify(problem)]
  return { content: texts.map((text) => ({ type: 'text', text })), isError: true }
}

/** Returns the problem of a failure that a tool found without a call. */
export function problemOf(failure: FailureName, extras: Partial<Problem>): Problem {
  const { code, detail, action } = failureTable[failure]
  return { status: errorCodes[code].status, code, reason: failure, detail, action, ...extras }
}
