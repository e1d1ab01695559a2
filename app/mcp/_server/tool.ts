/** How a tool is declared, and the form of its results. */
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Result } from '@/app/_web/api'
import type { Problem } from '@/app/_web/problem'
import type { Line, ResponseOf } from '@/app/beak/_api/lines'
import type { PlainInput } from '@/app/beak/_api/plain-call'
import type { KeyCaller } from '@/lib/kernel/context'
import { errorCodes, type FailureName, failureTable } from '@/lib/kernel/failures'
import { runCancellable } from './cancellation'
import type { Opening } from './opening'
import { inputSchema, outputSchema } from './schema'

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
  output: z.ZodType
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
    outputSchema: outputSchema(output),
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
