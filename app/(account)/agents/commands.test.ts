import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bondCommand, envFile, peckCommand } from './commands'

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
    expect(argumentsOf(peckCommand(bonding.baseUrl, 'DUCK-01J'), env)[3]).toBe('X-Beak-Key: beak_KEY-OTHER')
  })

  it('have a matching .env file', () => {
    expect(envFile(bonding)).toBe(
      'BEAK_URL=https://beak.example\nBEAK_AGENT_ID=AGT-01J\nBEAK_KEY=beak_KEY-01J_SECRET\nBEAK_HANDSHAKE_TOKEN=HSK-01J_SECRET\n',
    )
  })
})
