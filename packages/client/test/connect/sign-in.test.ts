/** How a coding agent gets its credential: from a person in a browser, on a real authorization server. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openOwnDoors } from '@/app/oauth/open-doors'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { allow, beginAt, type Doors, goBack } from '@/lib/fixtures/programs'
import { config, useConfig } from '@/lib/kernel/config'
import { forget } from '@/lib/kernel/runtime/singleton'
import { Output } from '../../src/cli/output'
import { Session } from '../../src/cli/session'
import { connectedBeak, mcpToken } from '../../src/connect/credential'
import { installPrograms } from '../../src/connect/install'
import { type Layout, layoutIn } from '../../src/connect/layout'
import { allowByDevice, allowInBrowser, endConnection, identityOf } from '../../src/connect/sign-in'
import { readCredentials, storeCredential, writeState } from '../../src/connect/state'
import { theProgram } from './connected'

const { baseUrl, origin, basePath } = config()
const base = mkdtempSync(join(tmpdir(), 'beak-sign-in-'))
let doors: Doors
let owner: ADuckling
let layout: Layout
let address: string

beforeAll(async () => {
  doors = await openOwnDoors()
  // A browser that writes the address to a file, as a person would open it.
  writeFileSync(join(base, 'browser'), `#!/bin/sh\nprintf %s "$1" > "${join(base, 'address')}"\n`, {
    mode: 0o755,
  })
})
afterAll(async () => {
  await doors.close()
  rmSync(base, { recursive: true })
})
beforeEach(async () => {
  useConfig({ baseUrl: doors.origin, origin: doors.origin, basePath: '' })
  forget('oauth.server')
  owner = await aDuckling()
  layout = layoutIn(mkdtempSync(join(base, 'home-')))
  rmSync(join(base, 'address'), { force: true })
})
afterEach(() => {
  useConfig({ baseUrl, origin, basePath })
  forget('oauth.server')
})

function aSession(
  signal = new AbortController().signal,
  note: (text: string) => void = () => undefined,
): Session {
  const places = {
    stdout: { write: () => true },
    stderr: { write: (text: string | Uint8Array) => note(String(text)) },
  }
  const env = { NODE_ENV: 'test' as const, BROWSER: join(base, 'browser') }
  return new Session(env, new Output(false, env, places), doors.origin, signal)
}

/** Returns the address that was opened in the browser. */
async function openedAddress(): Promise<string> {
  const read = () => {
    try {
      return readFileSync(join(base, 'address'), 'utf8')
    } catch {
      return ''
    }
  }
  await expect.poll(read, { timeout: 20_000 }).toContain('http')
  address = read()
  return address
}

/** Connects, and decides as the person. Returns where the browser goes. */
async function visit(decide: (begun: Awaited<ReturnType<typeof beginAt>>) => Promise<string>) {
  const connecting = allowInBrowser(aSession(), layout, 'claude', doors.origin, 'Claude Code on otter')
  const outcome = connecting.then(
    () => null,
    (error: Error) => error,
  )
  const opened = await openedAddress()
  const redirect = new URL(opened).searchParams.get('redirect_uri') ?? ''
  const begun = await beginAt(doors, opened, { clientId: '', redirect })
  const back = await decide(begun)
  const page = await fetch(back)
  return { error: await outcome, page: await page.text(), redirect }
}

const allowed = () =>
  visit(async (begun) => {
    const { body } = await allow(doors, begun, owner, { agent_name: 'Claude Code on otter' })
    const parameters = await goBack(doors, begun, body.continue)
    return `${begun.program.redirect}?${parameters}`
  })

describe('allowInBrowser', () => {
  it('gives a credential that asks the person and nobody else, and does nothing more', async () => {
    const { error, page } = await allowed()
    expect(error).toBeNull()
    expect(page).toContain('go back to the terminal')
    const { target, agent_id } = (await identityOf(layout, 'claude', doors.origin)) ?? {}
    expect(target).toBe(owner.id)
    const { body } = await doors.call('GET /beak/agent/list', { token: owner.token })
    expect(body.items).toMatchObject([
      {
        agent_id,
        agent_name: 'Claude Code on otter',
        status: 'bonded',
        capabilities: ['request:peck', 'read:peck'],
      },
    ])
    const beak = await connectedBeak(layout, 'claude')
    const asked = await beak.requestPeck({ target: owner.id, action: 'git:push' })
    await expect(beak.approvePeck({ peck_id: asked.peck_id })).rejects.toMatchObject({ status: 403 })
    await expect(beak.getProfile({})).rejects.toMatchObject({ status: 403 })
    const stranger = await aDuckling()
    await expect(beak.requestPeck({ target: stranger.id, action: 'git:push' })).rejects.toMatchObject({
      status: 403,
    })
    expect(statSync(layout.credentials).mode & 0o777).toBe(0o600)
  })

  it('stores nothing when the person refuses', async () => {
    const { error } = await visit(async (begun) => {
      const { body } = await doors.call('POST /beak/consent/deny', {
        token: owner.token,
        body: begun.consent,
      })
      return `${begun.program.redirect}?${await goBack(doors, begun, body.continue)}`
    })
    expect(error?.message).toContain('did not allow')
    expect(await readCredentials(layout)).toEqual({})
  })

  it('does not listen to a page that does not know its state', async () => {
    const interruption = new AbortController()
    const connecting = allowInBrowser(
      aSession(interruption.signal),
      layout,
      'claude',
      doors.origin,
      'x',
    ).catch((error) => error)
    const redirect = new URL(await openedAddress()).searchParams.get('redirect_uri')
    for (const query of ['?code=stolen', '?code=stolen&state=guess', '?error=access_denied'])
      expect((await fetch(`${redirect}${query}`)).status).toBe(404)
    interruption.abort(new Error('stopped'))
    expect((await connecting).message).toBe('stopped')
    expect(await readCredentials(layout)).toEqual({})
  })

  it('connects the same agent again', async () => {
    await allowed()
    const before = await identityOf(layout, 'claude', doors.origin)
    rmSync(join(base, 'address'))
    await allowed()
    expect(await identityOf(layout, 'claude', doors.origin)).toEqual(before)
  })
})

describe('allowByDevice', () => {
  it('gives a key that only asks, after the person approved the device and the agent, and keeps no session', async () => {
    let printed = ''
    const session = aSession(undefined, (text) => {
      printed += text
    })
    const connecting = allowByDevice(session, layout, 'codex', doors.origin, 'Codex on otter')
    const find = (pattern: RegExp) => pattern.exec(stripVTControlCharacters(printed))?.[1]
    await expect.poll(() => find(/code: ([A-Z-]{9})/)).toBeDefined()
    const body = { user_code: find(/code: ([A-Z-]{9})/) }
    expect((await doors.call('POST /beak/device/approve', { token: owner.token, body })).status).toBe(200)
    await expect.poll(() => find(/manage\/(AGT-\w+)/)).toBeDefined()
    const agent_id = find(/manage\/(AGT-\w+)/)
    await doors.call('POST /beak/agent/resume', { token: owner.token, body: { agent_id } })
    await connecting
    expect(await identityOf(layout, 'codex', doors.origin)).toEqual({ agent_id, target: owner.id })
    const { codex } = await readCredentials(layout)
    expect(codex).toEqual({ url: doors.origin, key: expect.stringMatching(/^beak_/) })
    const { body: sessions } = await doors.call('GET /beak/session/list', { token: owner.token })
    expect(sessions.items).toHaveLength(1)
  }, 60_000)
})

describe('a stored credential', () => {
  it('is renewed by 20 hooks at the same time, and stays valid', async () => {
    await allowed()
    const stored = (await readCredentials(layout)).claude
    await storeCredential(layout, 'claude', { ...stored, expires_at: 0 } as typeof stored & object)
    const ask = async () => (await connectedBeak(layout, 'claude')).listPecks({ direction: 'sent' })
    const answers = await Promise.all(Array.from({ length: 20 }, ask))
    expect(answers).toHaveLength(20)
    expect(await identityOf(layout, 'claude', doors.origin)).not.toBeNull()
  })

  it('opens the MCP server with a token of its own', async () => {
    await allowed()
    const { token } = await mcpToken(layout, 'claude')
    const stored = (await readCredentials(layout)).claude
    expect(stored).not.toMatchObject({ access_token: token })
    const headers = {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
    }
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    })
    expect((await doors.fetch('/mcp', { method: 'POST', headers, body })).status).toBe(200)
    expect(await identityOf(layout, 'claude', doors.origin)).not.toBeNull()
  })

  it('brings the tools of the MCP server to the coding agent, with nothing else in its settings', async () => {
    await allowed()
    const program = join(layout.programs, 'x', 'beak-connect.mjs')
    await installPrograms({ layout, node: process.execPath, program }, await theProgram())
    const { target = '', agent_id = '' } = (await identityOf(layout, 'claude', doors.origin)) ?? {}
    const names = { agent_name: 'Claude Code on otter', executable: '', files: [], connected_at: 0 }
    const connected = {
      url: doors.origin,
      target,
      agent_id,
      mode: 'guard',
      on_outage: 'refuse',
      ...names,
    } as const
    await writeState(layout, { program, tools: { claude: connected } })
    const client = new Client({ name: 'claude', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', 'claude'] }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('ask_permission')
    const asked = await client.callTool({
      name: 'ask_permission',
      arguments: { action: 'send:mail', scope: 'limited' },
    })
    expect(asked).toMatchObject({ structuredContent: { status: 'pending', target_duckling_id: owner.id } })
    await doors.call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id } })
    await expect(client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow(
      'Beak could not be asked',
    )
    await client.close()
  })

  it('ends with the connection', async () => {
    await allowed()
    const beak = await connectedBeak(layout, 'claude')
    await endConnection(layout, 'claude')
    expect(await readCredentials(layout)).toEqual({})
    await expect(beak.listPecks({})).rejects.toThrow('beak connect claude')
    const { body } = await doors.call('GET /beak/agent/list', { token: owner.token })
    expect(body.items[0]).not.toMatchObject({ connection: { status: 'connected' } })
  })

  it('says what to do when the person has ended the agent', async () => {
    await allowed()
    const { agent_id = '' } = (await identityOf(layout, 'claude', doors.origin)) ?? {}
    await doors.call('POST /beak/agent/deregister', { token: owner.token, body: { agent_id } })
    const stored = (await readCredentials(layout)).claude
    await storeCredential(layout, 'claude', { ...stored, expires_at: 0 } as typeof stored & object)
    await expect((await connectedBeak(layout, 'claude')).listPecks({})).rejects.toThrow(
      'Tell the user to run "beak connect claude"',
    )
  })

  it('is not used when others can read it', async () => {
    await allowed()
    chmodSync(layout.credentials, 0o644)
    await expect(connectedBeak(layout, 'claude')).rejects.toThrow('chmod 600')
  })
})
