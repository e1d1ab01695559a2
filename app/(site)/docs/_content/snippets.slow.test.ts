/**
 * Runs the code of the documentation as readers do: in bash, with tsx and with Python, against a service over HTTP. What readers do by hand
 * is done here: they copy the mailed code, and they approve every request.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { serve } from '@/app/beak/_api/serve'
import { table } from '@/app/beak/_api/table'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { codeFor } from '@/lib/factories/outbox'
import { appendNow } from '@/lib/fixtures/tlog'
import { nodeListener } from '@/lib/http/node-adapter'
import { config, useConfig } from '@/lib/kernel/config'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { findPython, makePythonClient } from '@/scripts/verifiers.mjs'
import { type Choice, type Code, choices, codesOf } from './blocks'

const root = join(process.cwd(), 'content', 'docs')
/** A Python with what the client needs. */
const python =
  findPython(
    ['cryptography', 'fastapi', 'httpx', 'jwt.algorithms', 'typing_extensions'],
    ['python3-cryptography', 'python3-fastapi', 'python3-httpx', 'python3-jwt', 'python3-typing-extensions'],
  ) ?? 'python3'
/** The command `beak`. */
const commandLine = join(process.cwd(), 'clients/typescript/src/cli/main.ts')
/** Its shell commands are a walk of their own. */
const readme = join(process.cwd(), 'README.md')
const before = config()
const server = createServer(nodeListener(serve(table)))
let url = ''
/** The data folder of the host whose commands the pages show. */
let hostData = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  hostData = await mkdtemp(join(tmpdir(), 'beak-docs-'))
  const unlimited = { perMinute: 60_000, burst: 10_000 }
  const limits = Object.fromEntries(Object.keys(before.limits).map((group) => [group, unlimited]))
  useConfig({ baseUrl: url, limits: limits as typeof before.limits })
  await new Promise<void>((resolve) => server.listen(port, resolve))
  makePythonClient(python)
})

afterAll(async () => {
  await rm(hostData, { recursive: true })
  useConfig(before)
  server.close()
  server.closeAllConnections()
})

/** How the code of a language is started: the file, and the command with its environment. */
const programs: Record<Choice, { file: string; start: string; command: (file: string) => string[] }> = {
  ts: { file: 'page.ts', start: '', command: (file) => [process.execPath, '--import', 'tsx', file] },
  python: { file: 'page.py', start: '', command: (file) => [python, file] },
  sh: { file: 'page.sh', start: 'set -euo pipefail', command: (file) => ['bash', file] },
}

/** Returns the code of a page in one language that readers run, as one program. Empty when there is none. */
function programOf(codes: Code[], language: Choice): string {
  return codes
    .filter((code) => code.language === language && !code.flags.includes('shown'))
    .map(({ text }) => text)
    .join('\n')
}

/** Returns the lines that the page says a language prints: output belongs to the code between it and the output before it. */
function expectedLines(codes: Code[], language: Choice): string[] {
  let isRun = false
  return codes.flatMap((code) => {
    if (code.language === language) isRun = true
    if (!code.flags.includes('output')) return []
    const lines = isRun ? code.text.split('\n') : []
    isRun = false
    return lines
  })
}

interface Case {
  page: string
  language: Choice
  program: string
  lines: string[]
}

function casesOf(page: string, text: string, languages: readonly Choice[]): Case[] {
  const codes = codesOf(text)
  return languages
    .map((language) => ({
      page,
      language,
      program: programOf(codes, language),
      lines: expectedLines(codes, language),
    }))
    .filter(({ program }) => program !== '')
}

async function readCases(): Promise<Case[]> {
  const files = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.md')).sort()
  const pages = await Promise.all(
    files.map(async (page) => casesOf(page, await readFile(join(root, page), 'utf8'), choices)),
  )
  const [section = ''] =
    /^## The main job, in TypeScript and Python\n[\s\S]*?(?=^## )/m.exec(await readFile(readme, 'utf8')) ?? []
  return [...pages.flat(), ...casesOf('README.md', section, ['ts', 'python'])]
}

const cases = await readCases()

/** Approves every request to a person until the signal aborts. */
async function approveAll({ token }: ADuckling, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { body } = await call('GET /beak/peck/history?direction=received&status=pending', { token })
    for (const { peck_id } of body.items) await call('POST /beak/peck/approve', { token, body: { peck_id } })
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
  GRANT_TOKEN: async (person, agent) => (await approvedPeck(person, agent)).grant_token,
  CERT_ID: async ({ token }) => (await call('POST /beak/cert/issue', { token })).body.cert_id,
  CREDENTIAL: async ({ token }) => (await call('POST /beak/cert/issue', { token })).body.credential,
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

/** Runs a program until it ends. Returns everything that it printed. Throws when it fails. */
async function run(
  [command = '', ...args]: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; answers: AsyncIterable<string> | null },
): Promise<string> {
  const child = spawn(command, args, { cwd: options.cwd, env: options.env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  for await (const answer of options.answers ?? []) child.stdin.write(`${answer}\n`)
  child.stdin.end()
  const code = await ended
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
  return output
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
async function runAs(person: ADuckling, { page, language, program }: Case): Promise<string> {
  const folder = join(process.cwd(), 'build')
  await mkdir(folder, { recursive: true })
  // Below the repository, so that the packages are found.
  const cwd = await mkdtemp(join(folder, 'docs-'))
  const email = randomEmail()
  const port = await freePort()
  try {
    const agent = await registerAgent(person, !program.includes('HANDSHAKE'))
    const env: NodeJS.ProcessEnv = {
      NODE_ENV: 'test',
      PATH: `${cwd}:${process.env.PATH}`,
      HOME: cwd,
      PYTHONPATH: join(process.cwd(), 'clients/python/src'),
    }
    for (const [name, make] of Object.entries(belongings))
      if (program.includes(name)) env[name] = await make(person, agent)
    if (program.includes('receipt.json')) {
      const { peck_id } = await approvedPeck(person, agent)
      const { body } = await call(`GET /beak/peck/outcome?peck_id=${peck_id}`, { token: person.token })
      await writeFile(join(cwd, 'receipt.json'), JSON.stringify(body))
    }
    // No worker runs here, and an export without a proof from the log is refused.
    if (program.includes('audit verify')) await appendNow()
    const beak = `#!/bin/sh\nexec '${process.execPath}' --import tsx '${commandLine}' "$@"\n`
    await writeFile(join(cwd, 'beak'), beak, { mode: 0o755 })
    const { file, start, command } = programs[language]
    const text = program
      .replaceAll(/https:\/\/beak\.example|http:\/\/localhost:3000/g, url)
      .replaceAll('you@example.com', email)
      .replace(/^CODE=123456.*$/m, 'read -r CODE')
      .replaceAll('8080', String(port))
    await writeFile(join(cwd, file), `${start}\n${text}`)
    const isHost = page.startsWith('hosts/')
    return await run(command(join(cwd, file)), {
      cwd: isHost ? process.cwd() : cwd,
      env: { ...env, ...(isHost ? { DATA_DIR: hostData } : {}) },
      answers: text.includes('read -r CODE') ? typedCode(email) : null,
    })
  } finally {
    await rm(cwd, { recursive: true })
  }
}

describe.each(cases)('$page in $language', (page) => {
  it('runs as shown and prints what the page says', async () => {
    const person = await aDuckling({ displayName: 'Mallard' })
    const approving = new AbortController()
    const approvals = approveAll(person, approving.signal)
    try {
      const output = await runAs(person, page)
      for (const line of page.lines) expect(output).toContain(line)
    } finally {
      approving.abort()
      await approvals
    }
  }, 120_000)
})
