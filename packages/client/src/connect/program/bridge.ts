/**
 * Brings the MCP server of the service to a coding agent: messages come and go as lines on standard input and output, and each is a request over
 * HTTP with the credential of the connection. So the coding agent needs no sign-in of its own, and no secret stands in its settings.
 */
import { createInterface } from 'node:readline'
import { createParser } from 'eventsource-parser'
import { mcpToken } from '../credential'
import type { Layout, ToolName } from '../layout'
import { readState } from '../state'

interface Message {
  id?: string | number | null
  method?: string
  result?: { protocolVersion?: string }
}

/** The code of JSON-RPC for an error of the server itself. */
const internalError = -32603

/** Passes messages on until standard input ends. */
export async function runBridge(layout: Layout, tool: ToolName): Promise<void> {
  const connected = (await readState(layout)).tools[tool]
  if (connected === undefined) throw new Error(`Run "beak connect ${tool}" first.`)
  let access: { token: string; endsAt: number } | null = null
  let version: string | undefined
  const write = (message: Message) => {
    version = message.result?.protocolVersion ?? version
    process.stdout.write(`${JSON.stringify(message)}\n`)
  }
  const token = async () => {
    if (access === null || access.endsAt < Date.now()) access = await mcpToken(layout, tool)
    return access.token
  }
  const pass = async (line: string) => {
    const response = await fetch(`${connected.url}/mcp`, {
      method: 'POST',
      redirect: 'error',
      headers: {
        Authorization: `Bearer ${await token()}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        ...(version === undefined ? {} : { 'MCP-Protocol-Version': version }),
      },
      body: line,
    })
    if (response.status === 401) access = null
    for await (const message of messagesOf(response)) write(message)
  }
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue
    void pass(line).catch((error: unknown) => {
      const { id } = JSON.parse(line) as Message
      const text = error instanceof Error ? error.message : String(error)
      const message = `Beak could not be asked: ${text}`
      if (id != null)
        process.stdout.write(
          `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: internalError, message } })}\n`,
        )
    })
  }
}

/** Yields the messages of an answer: one as JSON, or several as a stream of events. */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('text/event-stream') && response.body !== null) {
    const waiting: Message[] = []
    const parser = createParser({ onEvent: ({ data }) => waiting.push(JSON.parse(data)) })
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      parser.feed(chunk)
      while (waiting.length > 0) yield waiting.shift() as Message
    }
    return
  }
  const text = await response.text()
  const value = type.includes('json') && text !== '' ? JSON.parse(text) : null
  if (value !== null && 'jsonrpc' in value) yield value
  else if (!response.ok) throw new Error(value?.detail ?? `the answer has the status ${response.status}`)
}
