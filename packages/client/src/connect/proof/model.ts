/**
 * A model on loopback that asks for given tools and then says "done". It speaks the Messages API of Anthropic, which Claude Code uses, and the
 * Responses API of OpenAI, which Codex uses, as far as the agents need them. It needs no key.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A call of a tool that the model asks for. */
export interface Call {
  name: string
  /** Codex groups some of its tools. */
  namespace?: string
  input: Record<string, unknown>
}

/** A part of a conversation: what a tool answered, and others. */
interface Part {
  type?: string
  content?: unknown
  output?: unknown
}

/** What the model reads of a request. The agents send far more. */
interface Body {
  model?: string
  tools?: unknown[]
  messages?: { content?: unknown }[]
  input?: unknown
}

/** Returns the call that comes after so many results in a conversation, or null to end it. */
export type Choose = (results: number, body: Body) => Call | null

export interface Model {
  url: string
  /** The bodies of all requests, oldest first. */
  requests: Body[]
  /** What the agent told the model about its calls, of all conversations, oldest first. */
  results(): string[]
  close(): Promise<void>
}

const event = (response: ServerResponse, type: string, data: object) =>
  void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)

/** Returns what the tools of a conversation answered. */
function resultsOf({ messages, input }: Body): string[] {
  const partsOf = (value: unknown) => (Array.isArray(value) ? (value as Part[]) : [])
  const all = [...(messages ?? []).flatMap(({ content }) => partsOf(content)), ...partsOf(input)]
  return all
    .filter(({ type = '' }) =>
      ['tool_result', 'function_call_output', 'custom_tool_call_output'].includes(type),
    )
    .map(({ content, output }) => (typeof content === 'string' ? content : JSON.stringify(content ?? output)))
}

function answerMessages(response: ServerResponse, call: Call | null, id: string, model: string): void {
  const block =
    call === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${id}`, name: call.name, input: {} }
  const delta =
    call === null
      ? { type: 'text_delta', text: 'done' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], usage }
  event(response, 'message_start', { message: { ...message, stop_reason: null, stop_sequence: null } })
  event(response, 'content_block_start', { index: 0, content_block: block })
  event(response, 'content_block_delta', { index: 0, delta })
  event(response, 'content_block_stop', { index: 0 })
  const stop_reason = call === null ? 'end_turn' : 'tool_use'
  event(response, 'message_delta', { delta: { stop_reason, stop_sequence: null }, usage })
  event(response, 'message_stop', {})
}

function answerResponses(response: ServerResponse, call: Call | null, id: string): void {
  const item =
    call === null
      ? {
          type: 'message',
          id: `msg_${id}`,
          role: 'assistant',
          content: [{ type: 'output_text', text: 'done' }],
        }
      : {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: `call_${id}`,
          ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
          name: call.name,
          arguments: JSON.stringify(call.input),
        }
  event(response, 'response.created', { response: { id: `resp_${id}` } })
  event(response, 'response.output_item.done', { output_index: 0, item })
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  event(response, 'response.completed', { response: { id: `resp_${id}`, output: [item], usage } })
}

/** Starts the model. A request without tools, such as one for a title, is answered with "done". */
export async function startModel(choose: Choose): Promise<Model> {
  const requests: Body[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse((await text(request)) || '{}')
    const path = (request.url ?? '').split('?')[0] ?? ''
    if (request.method !== 'POST' || !/\/(?:messages|responses)$/.test(path))
      return void response.setHeader('Content-Type', 'application/json').end('{"data":[],"input_tokens":1}')
    requests.push(body)
    const call = (body.tools ?? []).length === 0 ? null : choose(resultsOf(body).length, body)
    response.setHeader('Content-Type', 'text/event-stream')
    if (path.endsWith('/messages')) answerMessages(response, call, String(requests.length), body.model)
    else answerResponses(response, call, String(requests.length))
    response.end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    results: () => [...new Set(requests.flatMap(resultsOf))],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
