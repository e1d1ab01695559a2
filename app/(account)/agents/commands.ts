/**
 * What an operator pastes into a shell. Everything in single quotes is of our own making (ids, tokens, the configured origin),
 * and none of it holds a quote.
 */

export interface Bonding {
  baseUrl: string
  agentId: string
  /** Without it the command takes the key from the environment. */
  beakKey?: string
  handshakeToken: string
}

/** The bonding ceremony as a command. */
export function bondCommand({ baseUrl, agentId, beakKey, handshakeToken }: Bonding): string {
  return curl(`${baseUrl}/beak/agent/bond`, beakKey, {
    agent_id: agentId,
    handshake_token: handshakeToken,
  })
}

/** A peck to `targetId` as a command: a single look at a profile. */
export function peckCommand(baseUrl: string, targetId: string): string {
  return curl(`${baseUrl}/beak/peck/request`, undefined, {
    target_duckling_id: targetId,
    action: 'read:profile',
    scope: 'limited',
    message: 'May I look at your profile once?',
  })
}

/** What an agent needs to know, in the form that shells and most frameworks read. */
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
