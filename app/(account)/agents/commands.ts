/**
 * Commands that an operator pastes into a shell. All values in single quotes are our own (ids, tokens, the configured origin) and contain
 * no quotes.
 */

export interface Bonding {
  baseUrl: string
  agentId: string
  /** When missing, the command reads the key from the environment. */
  beakKey?: string
  handshakeToken: string
}

/** Returns the command that bonds an agent. */
export function bondCommand({ baseUrl, agentId, beakKey, handshakeToken }: Bonding): string {
  return curl(`${baseUrl}/beak/agent/bond`, beakKey, {
    agent_id: agentId,
    handshake_token: handshakeToken,
  })
}

/** Returns the secrets of an agent as an `.env` file. */
export function envFile({ baseUrl, agentId, beakKey, handshakeToken }: Partial<Bonding>): string {
  const lines = {
    BEAK_URL: baseUrl,
    BEAK_AGENT_ID: agentId,
    BEAK_KEY: beakKey,
    BEAK_HANDSHAKE_TOKEN: handshakeToken,
  }
  return Object.entries(lines)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]))
    .join('')
}

function curl(url: string, beakKey: string | undefined, body: Record<string, string>): string {
  const key = beakKey === undefined ? '"X-Beak-Key: $BEAK_KEY"' : `'X-Beak-Key: ${beakKey}'`
  return [
    `curl -sS '${url}'`,
    `-H ${key}`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`,
  ].join(' \\\n  ')
}
