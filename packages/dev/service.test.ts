import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { shopCode } from '@beak/client/trust'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bundleOf } from '@/lib/fixtures/bundle'
import { migratedFolder } from '@/lib/fixtures/data-folder'
import {
  announced,
  callsTo,
  type DevAnswer,
  type DevProcess,
  endOf,
  startDev,
} from '@/lib/fixtures/dev-service'
import type { Announcement } from './service'

const temporary = mkdtempSync(join(tmpdir(), 'beak-dev-test-'))
let child: DevProcess
let dev: Announcement
let call: (line: string, body?: unknown, headers?: Record<string, string>) => Promise<DevAnswer>

beforeAll(async () => {
  child = startDev(['--json', '--port', '0'], { TMPDIR: temporary })
  dev = await announced(child)
  call = callsTo(dev)
}, 120_000)
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(temporary, { recursive: true, force: true })
})

let count = 0
/** The birth certificate of the owner, which can be issued once. */
let certId = ''
/** Asks an account for something that nobody has asked it for. */
async function ask(handle: string, more: object = {}) {
  const { status, body } = await call('POST /beak/peck/request', {
    target_duckling_id: handle,
    action: 'send:mail',
    scope: 'limited',
    params: { number: ++count },
    ...more,
  })
  expect(status).toBe(200)
  return body
}
const read = async (peckId: string, wait = 0) =>
  (await call(`GET /beak/peck/status?peck_id=${peckId}&wait=${wait}`)).body
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const advance = (seconds: number) => call('POST /beak/test/clock', { advance: seconds })

describe('the announcement', () => {
  it('is one line with the address, the key, the owner and the accounts', async () => {
    expect(dev.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect(dev.pid).toBe(child.pid)
    expect(dev.accounts.map(({ handle }) => handle)).toEqual([
      '@always-approves',
      '@always-rejects',
      '@never-answers',
      '@approves-in-5s',
      '@asks-for-a-code',
    ])
    const { body } = await call('GET /beak/profile', undefined, bearer(dev.person.token))
    expect(body.duckling_id).toBe(dev.person.duckling_id)
  })
})

describe('a test account', () => {
  it('approves at once, with a passkey, also what is a high risk or lasts', async () => {
    for (const more of [
      {},
      { action: 'delete:database', params: { name: 'production' } },
      { scope: 'standing', action: 'read:mail', params: {} },
    ]) {
      const { peck_id } = await ask('@always-approves', more)
      const peck = await read(peck_id, 20)
      expect([peck.status, peck.grant_status]).toEqual(['approved', 'active'])
      const { body: receipt } = await call(
        `GET /beak/peck/outcome?peck_id=${peck_id}`,
        undefined,
        bearer(dev.person.token),
      )
      expect(JSON.stringify(receipt)).toMatch(/client_?data_?json/i)
    }
  })

  it('rejects at once, many times in a row', async () => {
    for (let round = 0; round < 5; round++) {
      const { peck_id } = await ask('@always-rejects')
      const peck = await read(peck_id, 20)
      expect([peck.status, peck.reason]).toEqual(['rejected', 'This test account rejects every request.'])
    }
  })

  it('never answers, and the request expires by the clock of the service', async () => {
    const { peck_id } = await ask('@never-answers', { expires_in: 3600 })
    expect((await read(peck_id)).status).toBe('pending')
    await advance(3601)
    expect((await read(peck_id)).status).toBe('expired')
  })

  it('approves after 5 seconds by the clock of the service', async () => {
    const { peck_id } = await ask('@approves-in-5s')
    await advance(1)
    expect((await read(peck_id)).status).toBe('pending')
    await advance(4)
    expect((await read(peck_id)).status).toBe('approved')
  })

  it('approves with the code that was typed, and rejects a request without one', async () => {
    const { code, code_hash } = shopCode()
    const { peck_id } = await ask('@asks-for-a-code', { code_hash })
    expect((await read(peck_id)).status).toBe('pending')
    expect((await call('POST /beak/test/code', { peck_id, code })).body.status).toBe('approved')
    expect((await read(peck_id)).status).toBe('approved')
    expect((await call('POST /beak/test/code', { peck_id, code })).status).toBe(409)
    const without = await ask('@asks-for-a-code')
    expect((await read(without.peck_id, 20)).status).toBe('rejected')
    const { peck_id: others } = await ask('@never-answers', { code_hash })
    expect((await call('POST /beak/test/code', { peck_id: others, code })).status).toBe(404)
  })

  it('answers a hundred requests without a limit', async () => {
    const pecks = await Promise.all(Array.from({ length: 100 }, () => ask('@always-approves')))
    await expect
      .poll(async () => (await read(pecks[99].peck_id, 20)).status, { timeout: 20_000 })
      .toBe('approved')
  })
})

describe('the clock', () => {
  it('moves forward only', async () => {
    const before = (await call('GET /beak/test/clock')).body.now
    const to = new Date(Date.parse(before) + 60_000).toISOString()
    const after = (await call('POST /beak/test/clock', { now: to })).body.now
    expect(Date.parse(after)).toBeGreaterThanOrEqual(Date.parse(to))
    for (const body of [{ now: before }, { advance: -1 }, { advance: 1e12 }, { now: 'tomorrow' }, {}])
      expect((await call('POST /beak/test/clock', body)).status).toBe(400)
  })

  it('ends sessions and permissions, and the accounts go on answering', async () => {
    const { peck_id } = await ask('@always-approves', { scope: 'timed', grant_expires_in: 60 })
    await read(peck_id, 20)
    await advance(86_400 * 2)
    expect((await read(peck_id)).grant_status).toBe('expired')
    expect((await call('GET /beak/profile', undefined, bearer(dev.person.token))).status).toBe(401)
    const later = await ask('@always-approves')
    expect((await read(later.peck_id, 20)).status).toBe('approved')
  })
})

describe('mails and webhooks', () => {
  it('shows the codes of its mails', async () => {
    const email = 'shopper@shop.example'
    await call('POST /beak/signup', { email, display_name: 'Shopper' })
    const sent = async () => (await call(`GET /beak/test/mails?to=${email}`)).body.items
    await expect.poll(sent, { timeout: 10_000 }).toHaveLength(1)
    expect((await sent())[0].text).toMatch(/\b\d{6}\b/)
    expect((await call('GET /beak/test/mails?to=nobody@shop.example')).body.items).toEqual([])
  })

  it('signs in the owner and the accounts, and nobody else', async () => {
    const { body } = await call('POST /beak/test/session', {})
    expect((await call('GET /beak/profile', undefined, bearer(body.token))).status).toBe(200)
    const [account] = dev.accounts
    const { body: other } = await call('POST /beak/test/session', { duckling_id: account?.duckling_id })
    const { body: profile } = await call('GET /beak/profile', undefined, bearer(other.token))
    expect(profile.duckling_id).toBe(account?.duckling_id)
    const stranger = { duckling_id: 'DUCK-01M85NSF377F1SXMRHT77C6GSN' }
    expect((await call('POST /beak/test/session', stranger)).status).toBe(404)
  })

  it('sends the example of an event to the webhooks that subscribe to it, on this computer', async () => {
    const received: string[] = []
    const receiver = createServer((incoming, response) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => {
        received.push(JSON.parse(text).type)
        response.end()
      })
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void receiver.close())
    const { port } = receiver.address() as AddressInfo
    const { token } = (await call('POST /beak/test/session', {})).body
    const created = await call(
      'POST /beak/webhook/create',
      { url: `http://127.0.0.1:${port}/`, kinds: ['peck.approved'] },
      bearer(token),
    )
    expect(created.status).toBe(200)
    expect((await call('POST /beak/test/trigger', { event: 'peck.approved' })).body.webhooks).toBe(1)
    expect((await call('POST /beak/test/trigger', { event: 'peck.rejected' })).body.webhooks).toBe(0)
    expect((await call('POST /beak/test/trigger', { event: 'nothing' })).status).toBe(400)
    await expect.poll(() => received, { timeout: 10_000 }).toEqual(['peck.approved'])
    expect((await call('GET /beak/test/trigger')).body.items).toContain('peck.approved')
  })
})

describe('a web page that the developer visits', () => {
  /** Sends a request as a browser would, which may name any host. */
  const visit = (headers: Record<string, string>, method = 'POST', path = '/beak/test/clock') =>
    new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }>((resolve) => {
      const { port } = new URL(dev.url)
      const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        response.resume()
        resolve({ status: response.statusCode, headers: response.headers })
      })
      sent.end(method === 'POST' ? '{"advance":1}' : undefined)
    })
  const json = { 'Content-Type': 'application/json' }

  // security: stranger-42
  it.each([
    ['of another site', { ...json, Origin: 'https://evil.example' }],
    ['of the same origin', { ...json, Origin: 'http://localhost:3000' }],
    ['of a sandboxed frame', { ...json, Origin: 'null' }],
    ['whose name leads to this computer', { ...json, Host: 'evil.example:4010' }],
    ['whose name begins like the name of this computer', { ...json, Host: 'localhost.evil.example' }],
    ['that sends a form', { 'Content-Type': 'text/plain', Origin: 'https://evil.example' }],
    ['that shows the address as a picture', { ...json, 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s cannot move the clock', async (_what, headers) => {
    const before = Date.parse((await call('GET /beak/test/clock')).body.now)
    for (const path of ['/beak/test/clock', '/beak/test/clock/', '/beak/test/clock?a=1']) {
      const { status, headers: answered } = await visit(headers, 'POST', path)
      expect([status, answered['access-control-allow-origin']]).toEqual([403, undefined])
    }
    for (const method of ['OPTIONS', 'GET']) expect((await visit(headers, method)).status).toBe(403)
    expect((await visit(headers, 'GET', '/beak/test/mails')).status).toBe(403)
    const after = Date.parse((await call('GET /beak/test/clock')).body.now)
    expect(after - before).toBeLessThan(1_000 + 20_000)
  })

  // security: stranger-42
  it.each([
    'evil.example',
    'localhost.evil.example:4010',
    '127.0.0.1.evil.example',
    '127.0.0.1@evil.example',
    'localhost:4010@evil.example',
    '169.254.169.254',
    '[::2]:4010',
  ])('whose name %s leads to this computer is answered at no address', async (host) => {
    const paths = ['/beak/', '/beak/metrics', '/beak/openapi.json', '/.well-known/jwks.json', '/healthz']
    for (const path of [...paths, '/beak/agent/list', '/mcp', '/nothing']) {
      const { status, headers } = await visit({ Host: host }, 'GET', path)
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
    }
    expect((await visit({ ...json, Host: host }, 'POST', '/beak/signup')).status).toBe(403)
    expect((await visit({ Host: host }, 'OPTIONS', '/beak/signup')).status).toBe(403)
  })

  it('is answered under every name of this computer', async () => {
    for (const host of ['localhost:4010', 'LOCALHOST', '127.0.0.1', '[::1]:4010'])
      expect((await visit({ Host: host }, 'GET', '/beak/metrics')).status).toBe(200)
  })

  it('cannot send the JSON as a text without naming its origin', async () => {
    expect((await visit({ 'Content-Type': 'text/plain' })).status).toBe(415)
  })
})

describe('other computers', () => {
  // security: stranger-42
  it('cannot connect', async () => {
    const { port } = new URL(dev.url)
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    const outside = own.filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of outside) {
      const socket = connect(Number(port), address)
      const outcome = await new Promise((resolve) => {
        socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'))
      })
      socket.destroy()
      expect(outcome).toBe('refused')
    }
  })
})

describe.each(['2026-07-28', '2025-11-25'])('the MCP server in revision %s', (revision) => {
  it('takes every tool call of the official client, which checks results with their schemas', async () => {
    const mode = revision === '2026-07-28' ? { pin: revision } : 'legacy'
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const headers = { Authorization: `Bearer ${dev.agent.key}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${dev.url}/mcp`), { requestInit: { headers } }),
    )
    onTestFinished(() => client.close())
    // The client knows the schemas of the results only after this.
    const { tools } = await client.listTools()
    const called = new Set<string>()
    const use = async (name: string, args: Record<string, unknown> = {}) => {
      called.add(name)
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
      expect(isError ? content : '').toBe('')
      return structuredContent as DevAnswer['body']
    }
    expect(await use('whoami')).toMatchObject({ valid: true, test: true })
    const mail = { action: 'send:mail', scope: 'limited', params: { number: ++count } }
    const handle = { target_duckling_id: '@always-approves' }
    const { peck_id } = await use('ask_permission', { ...mail, ...handle, wait_seconds: 20 })
    expect(await use('wait_for_decision', { peck_id })).toMatchObject({ status: 'approved' })
    const receipt = (await call(`GET /beak/peck/outcome?peck_id=${peck_id}`)).body
    expect(await use('verify_receipt', { receipt, require: 'signed' })).toMatchObject({ valid: true })
    expect(await use('use_permission', { peck_id, params: mail.params })).toMatchObject({ active: true })
    const waiting = await use('ask_permission', { ...mail, target_duckling_id: '@never-answers' })
    const { status } = await use('cancel_request', { peck_id: waiting.peck_id })
    expect(status).toBe('cancelled')
    await use('verify_agent', { agent_id: dev.agent.agent_id })
    const issued = await call(
      'POST /beak/cert/issue',
      {},
      bearer((await call('POST /beak/test/session', {})).body.token),
    )
    if (issued.status === 200) certId = issued.body.cert_id
    await use('verify_certificate', { cert_id: certId })
    // `permission_prompt` answers without a schema, and asks the owner of the agent, who answers nothing here.
    const others = tools.map(({ name }) => name).filter((name) => name !== 'permission_prompt')
    expect([...called].sort()).toEqual(others.sort())
  })
})

describe('the end', () => {
  it('comes with the end of the program at standard input, and removes the data', async () => {
    expect(readdirSync(temporary)).toHaveLength(1)
    const ended = endOf(child)
    child.stdin.end()
    expect((await ended).code).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('a folder', { timeout: 90_000 }, () => {
  const folder = join(temporary, 'kept')
  /** Starts an ordinary service, or a command of its operator, on a folder. */
  const operator = (dataDir: string) =>
    spawnSync(process.execPath, [bundleOf('scripts/operator.ts'), 'list-keys'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', DATA_DIR: dataDir },
    })

  // security: stranger-41
  it('that is named keeps accounts, key and clock, and no ordinary service opens it', async () => {
    const first = startDev(['--json', '--port', '0', '--data', folder])
    const { url, agent, accounts, person } = await announced(first)
    const callFirst = callsTo({ url, agent } as Announcement)
    await callFirst('POST /beak/test/clock', { advance: 86_400 * 30 })
    const asked = {
      target_duckling_id: '@always-approves',
      action: 'send:mail',
      scope: 'limited',
    }
    await callFirst('POST /beak/peck/request', asked)
    first.kill('SIGTERM')
    expect((await endOf(first)).code).toBe(0)

    const refused = operator(folder)
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('data of a test service')])

    const second = startDev(['--json', '--port', '0', '--data', folder])
    const again = await announced(second)
    expect([again.agent, again.accounts, again.person.duckling_id]).toEqual([
      agent,
      accounts,
      person.duckling_id,
    ])
    const callAgain = callsTo(again)
    const { now } = (await callAgain('GET /beak/test/clock')).body
    expect(Date.parse(now)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    const { peck_id } = (await callAgain('POST /beak/peck/request', asked)).body
    const { status } = (await callAgain(`GET /beak/peck/status?peck_id=${peck_id}&wait=20`)).body
    expect(status).toBe('approved')
    second.kill('SIGINT')
    await endOf(second)
    expect(existsSync(folder)).toBe(true)
  })

  // security: stranger-41
  it('of an ordinary service is refused', async () => {
    const ordinary = await migratedFolder()
    onTestFinished(() => rmSync(ordinary, { recursive: true, force: true }))
    expect(operator(ordinary).status).toBe(0)
    const refused = startDev(['--json', '--port', '0', '--data', ordinary])
    const { code, stderr } = await endOf(refused)
    expect([code, stderr]).toEqual([1, expect.stringContaining('data of an ordinary service')])
  })
})
