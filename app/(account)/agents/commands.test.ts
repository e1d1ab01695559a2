import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bondCommand, envFile, peckCommand } from './commands'

const bonding = {
  baseUrl: 'https://beak.example',
  agentId: 'AGT-01J',
  beakKey: 'beak_KEY-01J_SECRET',
  handshakeToken: 'HSK-01J_SECRET',
}

/** What a shell makes of a command: curl's arguments, one a line. */
function argumentsOf(command: string, env: Record<string, string> = {}): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const output = execFileSync('bash', ['-c', shell], { env: { ...process.env, ...env }, encoding: 'utf8' })
  return output.split('\0').slice(0, -1)
}

describe('the printed commands', () => {
  it('hand a shell the key as a header and both ids as JSON', () => {
    const [, url, , key, , , , body = ''] = argumentsOf(bondCommand(bonding))
    expect(url).toBe('https://beak.example/beak/agent/bond')
    expect(key).toBe('X-Beak-Key: beak_KEY-01J_SECRET')
    expect(JSON.parse(body)).toEqual({ agent_id: 'AGT-01J', handshake_token: 'HSK-01J_SECRET' })
  })

  it('take the key from the environment where it is not known', () => {
    const { beakKey: _, ...rest } = bonding
    const env = { BEAK_KEY: 'beak_KEY-OTHER' }
    expect(argumentsOf(bondCommand(rest), env)[3]).toBe('X-Beak-Key: beak_KEY-OTHER')
    expect(argumentsOf(peckCommand(bonding.baseUrl, 'DUCK-01J'), env)[3]).toBe('X-Beak-Key: beak_KEY-OTHER')
  })

  it('are matched by a file that a shell can read', () => {
    expect(envFile(bonding)).toBe(
      'BEAK_URL=https://beak.example\nBEAK_AGENT_ID=AGT-01J\nBEAK_KEY=beak_KEY-01J_SECRET\nBEAK_HANDSHAKE_TOKEN=HSK-01J_SECRET\n',
    )
  })
})
