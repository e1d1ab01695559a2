/**
 * Runs the code of the documentation as readers do: in bash, with tsx and with Python, against a service over HTTP. What readers do by hand
 * is done here: they copy the mailed code, and they approve every request.
 */

import { mkdtempSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import type { Authenticator } from '@/lib/factories/authenticator'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { newcomerFolder, type Program, runProgram } from '@/lib/fixtures/newcomer'
import { appendNow } from '@/lib/fixtures/tlog'
import { nodeListener } from '@/lib/http/adapters'
import { config, useConfig } from '@/lib/kernel/config'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { makePythonClient } from '@/scripts/verifiers.mjs'
import {
  programsOfMainJob,
  programsOfPage,
  programsOfReadmes,
  pythonOfReaders as python,
  quickstartEnds,
  readmes,
  runQuickstart,
} from './programs'

const root = join(process.cwd(), 'docs', 'pages')
const before = config()
const server = createServer(nodeListener(serve(table)))
let url = ''
/** The data folder of the host whose commands the pages show. */
let hostData = ''
let newcomer = ''

beforeAll(async () => {
  newcomer = newcomerFolder()
  const port = await freePort()
  url = `http://localhost:${port}`
  hostData = mkdtempSync(join(tmpdir(), 'beak-docs-'))
  const unlimited = { perMinute: 60_000, burst: 10_000 }
  const limits = Object.fromEntries(Object.keys(before.limits).map((group) => [group, unlimited]))
  useConfig({ baseUrl: url, origin: url, limits: limits as typeof before.limits })
  await new Promise<void>((resolve) => server.listen(port, resolve))
  makePythonClient(python)
}, 120_000)

afterAll(async () => {
  for (const folder of [hostData, newcomer]) await rm(folder, { recursive: true })
  useConfig(before)
  server.close()
  server.closeAllConnections()
})

async function readCases(): Promise<Program[]> {
  const pages = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.md')).sort()
  return [...pages.flatMap(programsOfPage), ...programsOfMainJob(), ...programsOfReadmes()]
}

const cases = await readCases()

/** Everything that a program has printed so far. */
interface Screen {
  text: string
}

/**
 * Approves every request to a person until the signal aborts, with a passkey where the request demands one, and with the code that the
 * program shows.
 */
async function approveAll(person: ADuckling, screen: Screen, signal: AbortSignal): Promise<void> {
  const { token } = person
  let passkey: Authenticator | undefined
  const sign = async (peck_id: string, code: string | undefined) => {
    passkey ??= (await aPasskey(person)).authenticator
    const body = { purpose: 'approve', peck_id, ...(code === undefined ? {} : { code }) }
    return passkey.get((await call('POST /beak/passkey/challenge', { token, body })).body)
  }
  while (!signal.aborted) {
    const { body } = await call('GET /beak/peck/history?direction=received&status=pending', { token })
    for (const { peck_id, require, code_hash } of body.items) {
      const code = code_hash === undefined ? undefined : /code\b.*: (\d{6})\b/.exec(screen.text)?.[1]
      const proof = require === 'signed' ? { passkey: await sign(peck_id, code) } : {}
      await call('POST /beak/peck/approve', { token, body: { peck_id, ...proof } })
    }
    await wait(100)
  }
}

interface AgentSecrets {
  agent_id: string
  beak_key: string
  handshake_token: string
}

/** Asks for a permission with an agent, approves it, and returns the decided peck. */
async function approvedPeck(person: ADuckling, agent: AgentSecrets) {
  const body = {
    target_duckling_id: person.id,
    action: 'book:table',
    scope: 'limited',
    params: { guests: 4 },
  }
  const peck = (await call('POST /beak/peck/request', { key: agent.beak_key, body })).body
  await call('POST /beak/peck/approve', { token: person.token, body: { peck_id: peck.peck_id } })
  return (await call(`GET /beak/peck/status?peck_id=${peck.peck_id}`, { key: agent.beak_key })).body
}

/** What the pages say that readers have. Each is made only when the program of a page names it. */
const belongings: Record<string, (person: ADuckling, agent: AgentSecrets) => Promise<string> | string> = {
  BEAK_KEY: (_, agent) => agent.beak_key,
  AGENT_ID: (_, agent) => agent.agent_id,
  HANDSHAKE: (_, agent) => agent.handshake_token,
  DUCKLING_ID: (person) => person.id,
  OWNER_TOKEN: (person) => person.token,
  BEAK_TARGET: (person) => person.id,
  BEAK_TOKEN: (person) => person.token,
  GRANT_TOKEN: async (person, agent) => (await approvedPeck(person, agent)).grant_token,
  CERT_ID: async ({ token }) => (await call('POST /beak/cert/issue', { token })).body.cert_id,
  CREDENTIAL: async ({ token }) => (await call('POST /beak/cert/issue', { token })).body.credential,
  BEAK_SHOP_SECRET: () => 'the secret of the payment service',
  WEBHOOK_SECRET: () => `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  AGENT_TOKEN: async (_, { beak_key: key }) =>
    (await call('POST /beak/agent/token', { key, body: { audience: 'https://lake.example' } })).body.token,
}

async function registerAgent({ token }: ADuckling, isBonded: boolean): Promise<AgentSecrets> {
  const body = {
    agent_name: 'Scout',
    agent_type: 'assistant',
    capabilities: ['request:peck', 'read:peck', 'read:profile'],
  }
  const agent: AgentSecrets = (await call('POST /beak/agent/register', { token, body })).body
  const { agent_id, beak_key: key, handshake_token } = agent
  if (isBonded) await call('POST /beak/agent/bond', { key, body: { agent_id, handshake_token } })
  return agent
}

/** Types the mailed code of an address, once the mail is there. */
async function* typedCode(email: string): AsyncGenerator<string> {
  for (;;) {
    const code = await codeFor(email).catch(() => null)
    if (code !== null) {
      yield code
      return
    }
    await wait(50)
  }
}

/** Runs the code of a page as somebody who has what the page asks for. */
async function runAs(
  person: ADuckling,
  { page, language, text, command }: Program,
  screen: Screen,
): Promise<string> {
  const email = randomEmail()
  const port = await freePort()
  const agent = await registerAgent(person, !text.includes('HANDSHAKE'))
  const env: Record<string, string> = { BEAK_URL: url }
  // The client reads the key by itself.
  for (const [name, make] of Object.entries(belongings))
    if (text.includes(name) || name === 'BEAK_KEY') env[name] = await make(person, agent)
  // Instead of `beak login`, which is answered in a browser.
  if (page.startsWith('packages/client')) env.BEAK_TOKEN = person.token
  // No worker runs here, and an export without a proof from the log is refused.
  if (text.includes('audit verify')) await appendNow()
  const pasted = text
    .replaceAll(/https:\/\/beak\.example|http:\/\/localhost:3000/g, url)
    .replaceAll('you@example.com', email)
    .replace(/^CODE=123456.*$/m, 'read -r CODE')
    .replaceAll('8080', String(port))
  const isHost = page.startsWith('hosts/')
  return runProgram(
    { language, text: pasted, command },
    {
      newcomer,
      python,
      env: isHost ? { ...env, DATA_DIR: hostData } : env,
      ...(isHost ? { cwd: process.cwd() } : {}),
      answers: pasted.includes('read -r CODE') ? typedCode(email) : null,
      onOutput: (output) => {
        screen.text = output
      },
      prepare: async (folder) => {
        if (!text.includes('receipt.json')) return
        const { peck_id } = await approvedPeck(person, agent)
        const { body } = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: person.token })
        await writeFile(join(folder, 'receipt.json'), JSON.stringify(body))
      },
    },
  )
}

it.each(['agents/typescript.md', 'agents/python.md', 'README.md'])(
  '%s says how its program is started',
  (page) => {
    for (const { command } of cases.filter((one) => one.page === page)) expect(command).not.toBeNull()
  },
)

describe.each(cases)('$page in $language', (page) => {
  it('runs as shown and prints what the page says', async () => {
    const person = await aDuckling({ displayName: 'Mallard' })
    const approving = new AbortController()
    const screen = { text: '' }
    const approvals = approveAll(person, screen, approving.signal)
    try {
      const output = await runAs(person, page, screen)
      for (const line of page.lines) expect(output).toContain(line)
    } finally {
      approving.abort()
      await approvals
    }
  }, 120_000)
})

it.each(readmes)(
  'runs the quickstart of %s for somebody new',
  async (readme) => {
    const mailedCodes = async (email: string) =>
      (await sentTo(email)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? [])
    const env = { BEAK_URL: url }
    expect(await runQuickstart(readme, { url, mailedCodes }, { newcomer, python, env })).toContain(
      quickstartEnds[readme],
    )
  },
  120_000,
)
