/** The official MCP client connects with nothing but the address of the MCP server. */
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { allow, beginAt, type Doors, goBack, redirectUri } from '@/lib/fixtures/programs'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { forget } from '@/lib/kernel/runtime/singleton'
import { openOwnDoors } from './open-doors'

const { baseUrl, origin, basePath } = config()
let doors: Doors | null = null
afterEach(async () => {
  vi.useRealTimers()
  await doors?.close()
  replaceConfig({ baseUrl, origin, basePath })
  forget('oauth.server')
})

/** What the client keeps, as a program would in a file. */
interface Kept {
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  verifier?: string
  /** Where the client wants to send the browser. */
  sent: URL[]
}

function providerOf(kept: Kept): OAuthClientProvider {
  return {
    redirectUrl: redirectUri,
    clientMetadata: { redirect_uris: [redirectUri], client_name: 'Claude Code (beak)' },
    state: () => 'state of the client',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    invalidateCredentials: (scope) => {
      if (scope === 'tokens') delete kept.tokens
    },
    redirectToAuthorization: (url) => void kept.sent.push(url),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier ?? '',
  }
}

async function start(path: string): Promise<Doors> {
  doors = await openOwnDoors()
  replaceConfig({ baseUrl: `${doors.origin}${path}`, origin: doors.origin, basePath: path })
  forget('oauth.server')
  return doors
}

/** Decides as the person, in the browser that the client sent. Returns the parameters that the client gets. */
async function decide(opened: Doors, url: URL, owner: ADuckling): Promise<URLSearchParams> {
  const begun = await beginAt(opened, url.href, { clientId: '', redirect: redirectUri })
  const { body } = await allow(opened, begun, owner, { agent_name: 'Claude' })
  return goBack(opened, begun, body.continue)
}

describe.each(['', '/prod'])('the official client, below %j', (path) => {
  it('finds the addresses, registers, exchanges its code, calls a tool and refreshes its tokens', async () => {
    const opened = await start(path)
    const owner = await aDuckling()
    const kept: Kept = { sent: [] }
    const url = new URL(`${config().baseUrl}/mcp`)
    const open = () => new StreamableHTTPClientTransport(url, { authProvider: providerOf(kept) })
    const connect = async (transport = open()) => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(transport)
      return client
    }

    const first = open()
    await expect(connect(first)).rejects.toThrow(UnauthorizedError)
    const [asked] = kept.sent
    expect(asked?.href.startsWith(`${config().baseUrl}/oauth/authorize?`)).toBe(true)
    expect(asked?.searchParams.get('resource')).toBe(url.href)
    const back = await decide(opened, asked as URL, owner)
    expect(back.get('state')).toBe('state of the client')
    await first.finishAuth(back)

    const ask = { name: 'ask_permission', arguments: { action: 'send:mail', scope: 'limited' } }
    const client = await connect()
    expect(await client.callTool(ask)).toMatchObject({ structuredContent: { status: 'pending' } })
    await client.close()

    const before = kept.tokens
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 })
    const later = await connect()
    expect(await later.callTool(ask)).toMatchObject({ structuredContent: { status: 'pending' } })
    await later.close()
    expect(kept.tokens?.access_token).not.toBe(before?.access_token)
    expect(kept.tokens?.refresh_token).not.toBe(before?.refresh_token)
    expect(kept.sent).toHaveLength(1)
  })

  it('sends the person to the page again when its agent was ended', async () => {
    const opened = await start(path)
    const owner = await aDuckling()
    const kept: Kept = { sent: [] }
    const url = new URL(`${config().baseUrl}/mcp`)
    const transport = new StreamableHTTPClientTransport(url, { authProvider: providerOf(kept) })
    const client = new Client({ name: 'test', version: '1' })
    await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError)
    await transport.finishAuth(await decide(opened, kept.sent[0] as URL, owner))
    const { body } = await call('GET /beak/agent/list', { token: owner.token })
    const agent_id = body.items[0].agent_id
    await call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id } })
    const again = new StreamableHTTPClientTransport(url, { authProvider: providerOf(kept) })
    await expect(new Client({ name: 'test', version: '1' }).connect(again)).rejects.toThrow(UnauthorizedError)
    expect(kept.sent).toHaveLength(2)
  })
})
