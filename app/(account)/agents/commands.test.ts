import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { samplesOf } from './code-samples'
import { bondCommand, envFile } from './commands'

const bonding = {
  baseUrl: 'https://beak.example',
  agentId: 'AGT-01J',
  beakKey: 'beak_KEY-01J_SECRET',
  handshakeToken: 'HSK-01J_SECRET',
}

/** Returns the arguments that curl gets when a shell runs the command. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const output = execFileSync('bash', ['-c', shell], { env: { ...process.env, ...env }, encoding: 'utf8' })
  return output.split('\0').slice(0, -1)
}

describe('the printed commands', () => {
  it('send the key as a header and both ids as JSON', () => {
    const [, url, , key, , , , body = ''] = argumentsOf(bondCommand(bonding))
    expect(url).toBe('https://beak.example/beak/agent/bond')
    expect(key).toBe('X-Beak-Key: beak_KEY-01J_SECRET')
    expect(JSON.parse(body)).toEqual({ agent_id: 'AGT-01J', handshake_token: 'HSK-01J_SECRET' })
  })

  it('read the key from the environment when they do not contain it', () => {
    const { beakKey: _, ...rest } = bonding
    const env = { BEAK_KEY: 'beak_KEY-OTHER' }
    expect(argumentsOf(bondCommand(rest), env)[3]).toBe('X-Beak-Key: beak_KEY-OTHER')
  })

  it('have a matching .env file', () => {
    expect(envFile(bonding)).toBe(
      'BEAK_URL=https://beak.example\nBEAK_AGENT_ID=AGT-01J\nBEAK_KEY=beak_KEY-01J_SECRET\nBEAK_HANDSHAKE_TOKEN=HSK-01J_SECRET\n',
    )
  })
})

describe('the samples', () => {
  const samples = samplesOf({ baseUrl: 'https://beak.example', agentId: 'AGT-01J', targetId: 'DUCK-01J' })
  const [curl] = samples

  it('ask with the key of the agent, and use the permission with the token and the same parameters', () => {
    const asked = argumentsOf(curl?.ask ?? '', { BEAK_KEY: 'beak_KEY-1' })
    expect(asked.slice(1, 4)).toEqual([
      'https://beak.example/beak/peck/request',
      '-H',
      'X-Beak-Key: beak_KEY-1',
    ])
    const { params } = JSON.parse(asked.at(-1) ?? '')
    const used = argumentsOf(curl?.use ?? '', { GRANT_TOKEN: 'a.b.c' })
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
