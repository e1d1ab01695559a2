/**
 * Pastes every block of the quickstarts and recipes against the test service `beak dev`, in the folder of somebody who begins, and runs the
 * official MCP client, the hook and the pipeline block of the page there.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomEmail } from '@/lib/factories/ducklings'
import { bundleOf } from '@/lib/fixtures/bundle'
import { announced, callsTo, type DevProcess, endOf, startDev } from '@/lib/fixtures/dev-service'
import { commandLine, newcomerFolder, type Program, runProgram } from '@/lib/fixtures/newcomer'
import { makePythonClient } from '@/scripts/verifiers.mjs'
import { codesOf } from './blocks'
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

let child: DevProcess
let dev: Awaited<ReturnType<typeof announced>>
let newcomer: string
let call: ReturnType<typeof callsTo>

beforeAll(async () => {
  child = startDev(['--json', '--port', '0'])
  const starting = announced(child)
  newcomer = newcomerFolder()
  makePythonClient(python)
  dev = await starting
  call = callsTo(dev)
}, 180_000)

afterAll(async () => {
  const ended = endOf(child)
  child.stdin.end()
  await ended
  rmSync(newcomer, { recursive: true })
})

/** Returns a session token of a test account. Default: of the owner of the agent. */
const tokenOf = async (duckling_id?: string) =>
  (await call('POST /beak/test/session', { duckling_id })).body.token as string
const asOwner = async () => ({ Authorization: `Bearer ${await tokenOf()}` })

/** The person who decides in the programs: the test account that approves everything. */
const decider = () => dev.accounts.find(({ handle }) => handle === '@always-approves')?.duckling_id ?? ''

async function registerAgent() {
  const body = { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['request:peck', 'read:peck'] }
  return (await call('POST /beak/agent/register', body, await asOwner())).body
}

async function bondedKey(): Promise<string> {
  const { agent_id, beak_key, handshake_token } = await registerAgent()
  await call('POST /beak/agent/bond', { agent_id, handshake_token }, { 'X-Beak-Key': beak_key })
  return beak_key
}

/** Types the mailed code of an address, once the mail is there. */
async function* typedCode(email: string): AsyncGenerator<string> {
  for (;;) {
    const { items } = (await call(`GET /beak/test/mails?to=${email}`)).body
    const code = /\b\d{6}\b/.exec(items.at(-1)?.text ?? '')?.[0]
    if (code !== undefined) return yield code
    await wait(50)
  }
}

/** What does not work here, with the reason. */
const leftOut = {
  'packages/client/README.md: Use a permission without believing Beak':
    'the test account types 000000 and not the code that the program shows',
}

/** The quickstarts, the recipes, the main job and the READMEs, without the page of a service that has pages. */
async function readCases(): Promise<Program[]> {
  const quickstarts = ['typescript', 'python', 'curl', 'existing-agent'].map((name) => `agents/${name}.md`)
  const recipes = (await readdir(join(root, 'recipes'))).sort().map((name) => `recipes/${name}`)
  const pages = [...quickstarts, ...recipes].flatMap(programsOfPage)
  return [...pages, ...programsOfMainJob(), ...programsOfReadmes(leftOut)]
}

describe.each(await readCases())('$page in $language', ({ page, language, text, command, lines }) => {
  it('runs as pasted against beak dev', async () => {
    const email = randomEmail()
    const agent = await registerAgent()
    if (!text.includes('HANDSHAKE'))
      await call(
        'POST /beak/agent/bond',
        { agent_id: agent.agent_id, handshake_token: agent.handshake_token },
        { 'X-Beak-Key': agent.beak_key },
      )
    const pasted = text
      .replaceAll('https://beak.example', dev.url)
      .replaceAll('you@example.com', email)
      .replace(/^CODE=123456.*$/m, 'read -r CODE')
    const output = await runProgram(
      { language, text: pasted, command },
      {
        newcomer,
        python,
        env: {
          BEAK_URL: dev.url,
          // As the page "Test your program" says.
          BEAK_ALLOW_TEST: '1',
          BEAK_KEY: agent.beak_key,
          AGENT_ID: agent.agent_id,
          HANDSHAKE: agent.handshake_token,
          DUCKLING_ID: decider(),
          OWNER_TOKEN: await tokenOf(decider()),
          BEAK_TARGET: decider(),
          WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
          // Instead of `beak login`, which is answered in a browser.
          ...(page.startsWith('packages/client') ? { BEAK_TOKEN: await tokenOf(decider()) } : {}),
        },
        answers: pasted.includes('read -r CODE') ? typedCode(email) : null,
      },
    )
    for (const line of lines) expect(output).toContain(line)
  }, 120_000)
})

it.each(readmes)(
  'runs the quickstart of %s for somebody new against beak dev',
  async (readme) => {
    const mailedCodes = async (email: string) =>
      (await call(`GET /beak/test/mails?to=${email}`)).body.items.flatMap(
        ({ text }: { text: string }) => /\b\d{6}\b/.exec(text)?.[0] ?? [],
      )
    const env = { BEAK_URL: dev.url, BEAK_ALLOW_TEST: '1' }
    const output = await runQuickstart(readme, { url: dev.url, mailedCodes }, { newcomer, python, env })
    expect(output).toContain(quickstartEnds[readme])
  },
  120_000,
)

it('connects the official MCP client with the block of the page, asks and uses the permission', async () => {
  const { beak_key, handshake_token } = await registerAgent()
  const block = codesOf(readFileSync(join(root, 'agents/mcp.md'), 'utf8')).find(({ text }) =>
    text.startsWith('{'),
  )
  const pasted = (block?.text ?? '')
    .replace('https://beak.example', dev.url)
    .replace('beak_…', beak_key)
    .replace('HSK-…', handshake_token)
  const { url, headers } = JSON.parse(pasted).mcpServers.beak
  const client = new Client({ name: 'newcomer', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  // The client checks each result against the schema of its tool.
  const use = async (name: string, args: object) => {
    const result = (await client.callTool({ name, arguments: { ...args } })) as CallToolResult
    expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false)
    return result.structuredContent as Record<string, unknown>
  }
  expect(Object.keys(await use('whoami', {}))).not.toEqual([])
  const mail = { action: 'send:mail', params: { to: 'pond@example.com' } }
  const asked = await use('ask_permission', { ...mail, target: '@always-approves', wait_seconds: 30 })
  expect(asked).toMatchObject({ status: 'approved', scope: 'limited' })
  const used = await use('use_permission', { peck_id: asked.peck_id, params: mail.params })
  expect(used).toMatchObject({ uses_left: 0 })
  await client.close()
})

it('answers the hook of a coding agent', async () => {
  const folder = mkdtempSync(join(newcomer, 'hook-'))
  const rules = { target: '@always-approves', rules: [{ command: '\\bgit push\\b', action: 'run:git-push' }] }
  writeFileSync(join(folder, 'hook.json'), JSON.stringify(rules))
  const event = {
    session_id: 'abc123',
    cwd: folder,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'git push', description: 'Publish the work' },
  }
  const args = [commandLine(newcomer), 'hook', 'claude', '--rules', 'hook.json', '--allow-test']
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    input: JSON.stringify(event),
    encoding: 'utf8',
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      HOME: folder,
      BEAK_URL: dev.url,
      BEAK_KEY: await bondedKey(),
    },
  })
  expect(JSON.parse(stdout || stderr).hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' })
})

it('runs the tests of a program with the pipeline block of the page', async () => {
  const folder = join(newcomer, 'pipeline')
  mkdirSync(folder)
  const [main = ''] =
    /^```sh shown\nnpx .*?(?=^```)/ms.exec(
      readFileSync(join(root, 'agents/test.md'), 'utf8').split('## In a pipeline')[1] ?? '',
    ) ?? []
  const block = main
    .replace('```sh shown\n', '')
    .replace(/^npx \S+\.tgz/, `'${process.execPath}' '${bundleOf('packages/dev/main.ts')}' --port 0`)
  expect(block).toContain('npm test')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'npx tsx test.mts' } }))
  writeFileSync(
    join(folder, 'test.mts'),
    `import { Beak } from '@beak/client'
const agent = new Beak({})
const { permission } = await agent.requestPermission({ target: '@always-approves', action: 'send:mail' })
console.log('passed', permission?.scope)`,
  )
  const text = `${block}\nwait\necho stopped`
  const output = await runProgram(
    { language: 'sh', text, command: null },
    { newcomer, python, env: {}, cwd: folder },
  )
  expect(output).toMatch(/passed limited[\s\S]*stopped/)
}, 120_000)
