/** The MCP server over HTTP with the official client. Only for tests. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { nodeListener } from '@/lib/http/adapters'
import { answerMcp } from './answer'

export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

/** Two listeners without shared connections. Clients send their requests to both in turn, as behind a load balancer. */
export class McpListeners {
  readonly #servers: Server[] = [0, 1].map(() => createServer(nodeListener(answerMcp)))
  readonly #clients: Client[] = []
  #requests = 0

  async start(): Promise<void> {
    for (const server of this.#servers)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close()
    for (const server of this.#servers) {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }

  /** Returns the address for the next request. */
  url(): URL {
    const server = this.#servers[this.#requests++ % this.#servers.length] as Server
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  }

  /** Connects a client with a key. `onPage` makes it a client that opens addresses. */
  async connect(
    key: string,
    revision: Revision,
    onPage?: (url: string, message: string) => Promise<void>,
  ): Promise<Client> {
    const client = new Client(
      { name: 'test', version: '1' },
      {
        capabilities: onPage === undefined ? {} : { elicitation: { url: {} } },
        versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' },
      },
    )
    if (onPage !== undefined)
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        if (params.mode !== 'url') throw new Error('asked for a form')
        await onPage(params.url, params.message)
        return { action: 'accept' }
      })
    const transport = new StreamableHTTPClientTransport(this.url(), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
      fetch: (_, init) => fetch(this.url(), init && { ...init, body: withNumbers(init.body) }),
    })
    await client.connect(transport)
    this.#clients.push(client)
    return client
  }
}

/** Sends the text `number:1e400` as the number 1e400, which no value of this language is. */
const withNumbers = (body: BodyInit | null | undefined) =>
  typeof body === 'string' ? body.replace(/"number:([^"]+)"/g, '$1') : (body ?? null)

interface ToolAnswer {
  isError: boolean
  /** The sentence for the model. */
  text: string
  /** The structured content, or the members of the problem. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of a result
  data: any
}

/** Calls a tool. The client checks the structured content against the output schema of the tool. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[1] = {},
): Promise<ToolAnswer> {
  const result = (await client.callTool({ name, arguments: args }, options)) as CallToolResult
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''))
  const data = result.structuredContent ?? (texts.length > 1 ? JSON.parse(texts[1] ?? '') : null)
  return { isError: result.isError ?? false, text: texts[0] ?? '', data }
}
