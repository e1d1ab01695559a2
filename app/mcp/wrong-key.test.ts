/** What an MCP client shows that has a wrong key and could sign in with OAuth, as coding agents can. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, it } from 'vitest'
import { isForPrograms, isOAuth, serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { nodeListener } from '@/lib/http/adapters'
import { refuseOutsideBasePath, stripBasePath } from '@/lib/http/base-path'
import { config, useConfig } from '@/lib/kernel/config'
import { secondsAfter } from '@/lib/kernel/runtime/clock'
import { answerMcp } from './_server/answer'

const before = config()
afterAll(() => useConfig(before))

/** Serves the MCP server and the route table below a path, as the process does. Every other path gets a page. */
async function start(basePath: string) {
  const [api, mcp] = [nodeListener(serve(table)), nodeListener(answerMcp)]
  const server = createServer((request, response) => {
    const target = stripBasePath(basePath, request.url ?? '/')
    if (target === null) {
      if (isOAuth(request.method, request.url ?? '')) return void api(request, response)
      return refuseOutsideBasePath(response)
    }
    request.url = target
    if (isForPrograms(table, request.method, target)) return void api(request, response)
    if (target === '/mcp') return void mcp(request, response)
    response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, origin }
}

/** Signs in with OAuth when the server knows how. */
const provider: OAuthClientProvider = {
  redirectUrl: 'http://127.0.0.1:9/callback',
  clientMetadata: { redirect_uris: ['http://127.0.0.1:9/callback'], client_name: 'test' },
  clientInformation: () => undefined,
  saveClientInformation: () => undefined,
  tokens: () => undefined,
  saveTokens: () => undefined,
  redirectToAuthorization: () => undefined,
  saveCodeVerifier: () => undefined,
  codeVerifier: () => '',
}

describe.each(['', '/prod'])('a client with an OAuth provider, below %j', (basePath) => {
  it('shows that the beak key is wrong or expired', async () => {
    const { server, origin } = await start(basePath)
    useConfig({ baseUrl: `${origin}${basePath}`, origin, basePath })
    const url = new URL(`${origin}${basePath}/mcp`)
    const agent = await anAgent(await aDuckling())
    const expired = await anAgent(await aDuckling())
    await db().beakKey.updateMany({
      where: { agentId: expired.agentId },
      data: { expiresAt: secondsAfter(new Date(), -1) },
    })
    const wrong = `${agent.beakKey.slice(0, -1)}${agent.beakKey.endsWith('X') ? 'Y' : 'X'}`
    for (const key of [wrong, expired.beakKey, 'nonsense']) {
      const requestInit = { headers: { Authorization: `Bearer ${key}` } }
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider, requestInit })
      const error = await new Client({ name: 'test', version: '1' }).connect(transport).catch((one) => one)
      expect(error).toBeInstanceOf(Error)
      expect(error.message).toContain('The beak key is wrong or expired.')
      expect(error.message).not.toContain('<')
    }
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
