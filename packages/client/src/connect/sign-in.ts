/**
 * Gets the credential of one agent: the person allows it in the browser, as any program that connects by OAuth (docs/contract.md, "Programs that connect
 * by OAuth"). Without a browser on this computer, a device session makes the agent, and ends with that.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as oauth from 'oauth4webapi'
import { bondWhenConfirmed } from '../cli/commands/agent'
import { signInByDevice } from '../cli/commands/login'
import { Exit, exitCodes } from '../cli/exit'
import { openBrowser } from '../cli/open-browser'
import type { Session } from '../cli/session'
import { connectedBeak, credentialOf, discover, httpOptions } from './credential'
import type { Layout, ToolName } from './layout'
import { readCredentials, type StoredCredential, storeCredential } from './state'

/** Who asks, and whom. */
export interface Identity {
  agent_id: string
  /** The person whom the agent asks. */
  target: string
}

/** How long the person may take in the browser, in milliseconds. */
const longestVisit = 15 * 60_000

const done = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Connected</title><body style="font: 1.1rem system-ui; margin: 15vh auto; max-width: 30rem; padding: 0 1rem">
<h1>Connected</h1><p>You can close this page and go back to the terminal.`

/** Returns the identity of the stored credential, or null when there is none that the service accepts. */
export async function identityOf(layout: Layout, tool: ToolName, url: string): Promise<Identity | null> {
  const stored = (await readCredentials(layout))[tool]
  if (stored?.url !== url) return null
  try {
    const beak = await connectedBeak(layout, tool)
    const { token } = await beak.issueAgentToken({ audience: 'beak-connect' })
    // The service itself signed it just now, over the connection that its address names.
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return { agent_id: claims.sub, target: claims.operator }
  } catch {
    return null
  }
}

/** Lets the person allow an agent in the browser, and stores its credential. */
export async function allowInBrowser(
  session: Session,
  layout: Layout,
  tool: ToolName,
  url: string,
  name: string,
): Promise<void> {
  const server = await discover(url)
  const state = oauth.generateRandomState()
  const visit = await startListener(state, session.signal)
  try {
    const stored = (await readCredentials(layout))[tool]
    const known = stored?.url === url && 'client_id' in stored ? stored.client_id : null
    const client_id = known ?? (await register(url, server, name))
    const verifier = oauth.generateRandomCodeVerifier()
    const address = new URL(server.authorization_endpoint ?? '')
    const asks = {
      client_id,
      redirect_uri: visit.address,
      response_type: 'code',
      scope: 'ask',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: `${url}/beak`,
    }
    for (const [key, value] of Object.entries(asks)) address.searchParams.set(key, value)
    address.searchParams.append('resource', `${url}/mcp`)
    session.output.note(`Allow "${name}" in your browser: ${address.href}`)
    await openBrowser(address.href, session.env)
    const back = await visit.answer
    const parameters = oauth.validateAuthResponse(server, { client_id }, back, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      { client_id },
      oauth.None(),
      parameters,
      visit.address,
      verifier,
      { ...httpOptions(url), additionalParameters: { resource: `${url}/beak` } },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, { client_id }, response)
    await storeCredential(layout, tool, credentialOf(url, client_id, tokens))
  } catch (error) {
    throw failureOf(error)
  } finally {
    visit.close()
  }
}

function failureOf(error: unknown): unknown {
  const isRefusal = error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied'
  return isRefusal ? new Exit(exitCodes.refused, 'You did not allow the agent. Nothing was changed.') : error
}

async function register(
  url: string,
  server: oauth.AuthorizationServer,
  client_name: string,
): Promise<string> {
  const response = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name,
      redirect_uris: ['http://127.0.0.1/beak'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    httpOptions(url),
  )
  return (await oauth.processDynamicClientRegistrationResponse(response)).client_id
}

/** Waits on a free port of this computer for the browser to come back. Other pages, which do not know the state, get nothing. */
async function startListener(state: string, signal: AbortSignal) {
  let resolve: (url: URL) => void = () => undefined
  let reject: (reason: unknown) => void = () => undefined
  const answer = new Promise<URL>((...ends) => {
    resolve = ends[0]
    reject = ends[1]
  })
  answer.catch(() => undefined)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', address)
    if (url.pathname !== '/beak' || url.searchParams.get('state') !== state)
      return void response.writeHead(404).end()
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(done)
    resolve(url)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/beak`
  const late = () =>
    reject(new Exit(exitCodes.pending, 'Nobody allowed the agent in time.', 'Run the same command again.'))
  const timer = setTimeout(late, longestVisit)
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return {
    address,
    answer,
    close() {
      clearTimeout(timer)
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Makes an agent with a session that another device approves, stores its key, and ends the session. */
export async function allowByDevice(
  session: Session,
  layout: Layout,
  tool: ToolName,
  url: string,
  name: string,
): Promise<void> {
  const { beak, token } = await signInByDevice(session, true)
  const person = beak.with({ token })
  try {
    const { agent_id, beak_key, handshake_token, status } = await person.registerAgent({
      agent_name: name,
      agent_type: 'coding',
      capabilities: ['request:peck', 'read:peck'],
    })
    if (status === 'suspended')
      session.output.note(`Confirm the agent "${name}" in your browser: ${url}/agents/manage/${agent_id}`)
    await bondWhenConfirmed(beak.with({ key: beak_key }), { agent_id, handshake_token }, session.signal)
    const credential: StoredCredential = { url, key: beak_key }
    await storeCredential(layout, tool, credential)
  } finally {
    await person.signOut().catch(() => undefined)
  }
}

/** Ends a connection at the service. What is removed here cannot be used, whether or not the service answers. */
export async function endConnection(layout: Layout, tool: ToolName): Promise<void> {
  const stored = (await readCredentials(layout))[tool]
  await storeCredential(layout, tool, null)
  if (stored === undefined || 'key' in stored) return
  try {
    const server = await discover(stored.url)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(
        server,
        { client_id: stored.client_id },
        oauth.None(),
        stored.refresh_token,
        httpOptions(stored.url),
      ),
    )
  } catch {}
}
