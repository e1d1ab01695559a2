import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { version } from '@/lib/kernel/service/version'
import { connectCommand, cursorLink, geminiCommand } from './address-commands'
import { samplesOf } from './code-samples'
import { bondCommand, claudeCommand, envFile, settingsBlock } from './commands'

const bonding = {
  baseUrl: 'https://beak.example',
  agentId: 'AGT-01J',
  handshakeToken: 'HSK-01J_SECRET',
}

const beakKey = 'beak_KEY-01J_SECRET'

interface Shell {
  env?: Record<string, string>
  /** What the person types. */
  input?: string
}

/** Returns the arguments that a program gets when a shell runs the command. */
function argumentsOf(program: string, command: string, { env = {}, input = '' }: Shell = {}) {
  const script = `${program}() { [ "$2" = list ] || printf '%s\\0' "$@"; }\n${command}`
  const options = { env: { ...process.env, ...env }, input, encoding: 'utf8' } as const
  return execFileSync('bash', ['-c', script], { ...options, stdio: ['pipe', 'pipe', 'ignore'] })
    .split('\0')
    .slice(0, -1)
}

describe('the ways to give a program the address', () => {
  it('pass it to Gemini CLI as one argument, and no key', () => {
    const added = ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'beak', 'https://beak.example/mcp']
    expect(argumentsOf('gemini', geminiCommand('https://beak.example/mcp'))).toEqual(added)
  })

  it('start the client of this service, which connects Claude Code and Codex', () => {
    expect(argumentsOf('npx', connectCommand('https://beak.example/at'))).toEqual([
      `https://beak.example/at/clients/beak-client-${version}.tgz`,
      'connect',
    ])
  })

  it('make a link that installs it in Cursor', () => {
    const link = new URL(cursorLink('https://beak.example/mcp'))
    expect(link.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=beak&config=/)
    const config = Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString()
    expect(JSON.parse(config)).toEqual({ url: 'https://beak.example/mcp' })
  })
})

describe('the command that bonds an agent', () => {
  it('asks for the key, which it does not contain, and sends it as a header', () => {
    const command = bondCommand(bonding)
    expect(command).not.toContain('beak_')
    const [, url, , key, , , , body = ''] = argumentsOf('curl', command, { input: `${beakKey}\n` })
    expect(url).toBe('https://beak.example/beak/agent/bond')
    expect(key).toBe(`X-Beak-Key: ${beakKey}`)
    expect(JSON.parse(body)).toEqual({ agent_id: 'AGT-01J', handshake_token: 'HSK-01J_SECRET' })
  })
})

describe('the command for Claude Code', () => {
  it('adds the server for the user, with the key that is typed and the handshake as headers', () => {
    const command = claudeCommand(bonding)
    expect(command).not.toContain('beak_')
    expect(argumentsOf('claude', command, { input: `${beakKey}\n` })).toEqual(
      [
        ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'beak', 'https://beak.example/mcp'],
        ['--header', `Authorization: Bearer ${beakKey}`, '--header', 'X-Beak-Handshake: HSK-01J_SECRET'],
      ].flat(),
    )
  })

  it('is one logical line, so that a shell takes nothing of it for the key', () => {
    for (const line of claudeCommand(bonding).split('\n').slice(0, -1)) expect(line).toMatch(/ \\$/)
  })
})

describe('the block for the settings of a program', () => {
  const headers = { Authorization: `Bearer ${beakKey}`, 'X-Beak-Handshake': 'HSK-01J_SECRET' }
  const url = 'https://beak.example/mcp'

  it('is JSON for Cursor and for other clients, which need the transport', () => {
    const cursor = settingsBlock('cursor', bonding, beakKey)
    expect(cursor?.file).toBe('~/.cursor/mcp.json')
    expect(JSON.parse(cursor?.text ?? '')).toEqual({ mcpServers: { beak: { url, headers } } })
    expect(JSON.parse(settingsBlock('mcp', bonding, beakKey)?.text ?? '')).toEqual({
      mcpServers: { beak: { type: 'http', url, headers } },
    })
  })

  it('is TOML with literal headers for Codex', () => {
    expect(settingsBlock('codex', bonding, beakKey)).toEqual({
      file: '~/.codex/config.toml',
      text: `[mcp_servers.beak]
url = "${url}"
http_headers = { "Authorization" = "Bearer ${beakKey}", "X-Beak-Handshake" = "HSK-01J_SECRET" }
`,
    })
  })

  it('is missing for programs that a command connects', () => {
    expect([settingsBlock('claude', bonding, beakKey), settingsBlock('own', bonding, beakKey)]).toEqual([
      null,
      null,
    ])
  })
})

describe('the .env file', () => {
  it('has everything that a program of the owner needs', () => {
    expect(envFile({ ...bonding, beakKey })).toBe(
      'BEAK_URL=https://beak.example\nBEAK_AGENT_ID=AGT-01J\nBEAK_KEY=beak_KEY-01J_SECRET\nBEAK_HANDSHAKE_TOKEN=HSK-01J_SECRET\n',
    )
  })
})

describe('the samples', () => {
  const samples = samplesOf({ baseUrl: 'https://beak.example', agentId: 'AGT-01J', targetId: 'DUCK-01J' })
  const [curl] = samples

  it('ask with the key of the agent, and use the permission with the token and the same parameters', () => {
    const asked = argumentsOf('curl', curl?.ask ?? '', { env: { BEAK_KEY: 'beak_KEY-1' } })
    expect(asked.slice(1, 4)).toEqual([
      'https://beak.example/beak/peck/request',
      '-H',
      'X-Beak-Key: beak_KEY-1',
    ])
    const { params } = JSON.parse(asked.at(-1) ?? '')
    const used = argumentsOf('curl', curl?.use ?? '', { env: { GRANT_TOKEN: 'a.b.c' } })
    expect(used[1]).toBe('https://beak.example/beak/peck/consume')
    expect(JSON.parse(used.at(-1) ?? '')).toEqual({ grant_token: 'a.b.c', params })
  })

  it('name the same action and parameters in every language', () => {
    for (const { ask, use, title } of samples) {
      expect(ask, title).toContain('send:email')
      for (const text of [ask, use]) expect(text, title).toContain('pond@example.com')
      expect(ask, title).toContain('DUCK-01J')
    }
  })

  it('check the permission in Python with statements that `python -O` keeps', () => {
    const { use = '' } = samples.find(({ language }) => language === 'python') ?? {}
    expect(use).toContain('raise PermissionError("other agent")')
    expect(use).not.toMatch(/^\s*assert\b/m)
  })
})
