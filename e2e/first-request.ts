/** The way of a newcomer from an address that was pasted into a program to the first request that was approved, counted. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { button, heading } from './browser'
import { signIn } from './controls/sign-in'
import type { Hands } from './hands'
import { codeIn } from './outbox'
import { eventually, type Server } from './server'

/** An unchanged program with the official MCP client. It gets its code on this computer, as native programs do. */
async function officialClient(url: string) {
  const sent: URL[] = []
  const kept: Record<string, unknown> = {}
  let returned: (back: URL) => void
  const back = new Promise<URL>((resolve) => {
    returned = resolve
  })
  const listener = createServer((request, response) => {
    returned(new URL(request.url ?? '/', 'http://127.0.0.1'))
    response.setHeader('Content-Type', 'text/html').end('<!DOCTYPE html><title>Claude</title>Close this tab.')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const redirectUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/callback`
  const authProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: 'Claude' },
    state: () => 'state',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (address) => void sent.push(address),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
  } as OAuthClientProvider
  const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider })
  const newClient = () => new Client({ name: 'claude', version: '1' })
  return {
    /** Connects, and returns the address that the program opens in the browser. */
    async begin(): Promise<string> {
      const transport = open()
      const refusal = await newClient()
        .connect(transport)
        .catch((error: unknown) => error)
      if (!(refusal instanceof UnauthorizedError)) throw refusal
      return String(sent[0])
    },
    /** Waits until the browser is back, and returns the connected client. */
    async finish(): Promise<Client> {
      const transport = open()
      await transport.finishAuth((await back).searchParams)
      const client = newClient()
      await client.connect(open())
      return client
    },
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections()
      listener.close()
    },
  }
}

/** Walks the way. The page has an authenticator for passkeys, and nobody has an account. */
export async function firstRequest(hands: Hands, server: Pick<Server, 'url' | 'dataDir'>, email: string) {
  const { page } = hands
  await using program = await officialClient(`${server.url}/mcp`)
  await page.goto(await program.begin())
  await hands.read('sign-up')
  await hands.fill(signIn.name(page), 'Anna Weber')
  await hands.fill(signIn.email(page), email)
  await hands.tap(signIn.signUp(page))
  await signIn.code(page).waitFor()
  await hands.read('code')
  await hands.fill(signIn.code(page), await codeIn(server as Server, email))
  await signIn.addPasskey(page).waitFor()
  await hands.read('passkey')
  await hands.tap(signIn.addPasskey(page))
  await button(page, 'Allow').waitFor()
  await hands.read('sheet')
  await hands.tap(button(page, 'Allow'))
  const client = await program.finish()
  await heading(page, 'Claude is connected').waitFor()
  await hands.read('waiting')
  const asked = await client.callTool({
    name: 'ask_permission',
    arguments: { action: 'send:email', params: { to: email, text: 'Hello' } },
  })
  const { peck_id } = asked.structuredContent as { peck_id: string }
  await button(page, 'Approve with passkey').waitFor()
  await hands.read('request')
  await hands.tap(button(page, 'Approve with passkey'))
  const status = async () => {
    const answer = await client.callTool({
      name: 'wait_for_decision',
      arguments: { peck_id, wait_seconds: 0 },
    })
    const { status } = answer.structuredContent as { status: string }
    return status === 'pending' ? null : status
  }
  return eventually(status, 30)
}
