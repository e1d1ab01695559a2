/**
 * What an operator pastes into a shell or into the settings of a program. Values in single quotes are our own (ids, tokens, the configured
 * origin) and contain no quotes. Commands ask for the key: so it gets into no history of a shell, and into no address.
 */
import type { ProgramId } from './programs'

export interface Bonding {
  baseUrl: string
  agentId: string
  handshakeToken: string
}

/** Returns the command that bonds an agent. */
export function bondCommand({ baseUrl, agentId, handshakeToken }: Bonding): string {
  const body = { agent_id: agentId, handshake_token: handshakeToken }
  return askingForKey([
    `curl -sS '${baseUrl}/beak/agent/bond'`,
    '-H "X-Beak-Key: $BEAK_KEY"',
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}'`,
  ])
}

/**
 * Returns the command that adds the MCP server to Claude Code. The list at its end connects to the server, which bonds the agent.
 * https://code.claude.com/docs/en/mcp
 */
export function claudeCommand({ baseUrl, handshakeToken }: Bonding): string {
  return askingForKey([
    `claude mcp add --scope user --transport http beak '${baseUrl}/mcp'`,
    '--header "Authorization: Bearer $BEAK_KEY"',
    `--header 'X-Beak-Handshake: ${handshakeToken}'`,
    '&& claude mcp list',
  ])
}

/** One logical line: a shell reads all of it before `read` takes the key. The prompt is no output of the command. */
function askingForKey(lines: string[]): string {
  return [
    "printf 'Beak key: ' >&2 && read -rs BEAK_KEY && echo >&2",
    `&& ${lines[0]}`,
    ...lines.slice(1),
  ].join(' \\\n  ')
}

export interface Block {
  /** The file that it belongs into, when the program reads one. */
  file?: string
  text: string
}

/** Returns what belongs into the settings of a program. Null for a program that a command connects. */
export function settingsBlock(program: ProgramId, bonding: Bonding, beakKey: string): Block | null {
  const url = `${bonding.baseUrl}/mcp`
  const headers = { Authorization: `Bearer ${beakKey}`, 'X-Beak-Handshake': bonding.handshakeToken }
  const json = (server: object) => `${JSON.stringify({ mcpServers: { beak: server } }, null, 2)}\n`
  // https://cursor.com/docs/mcp
  if (program === 'cursor') return { file: '~/.cursor/mcp.json', text: json({ url, headers }) }
  // https://developers.openai.com/codex/mcp
  if (program === 'codex') {
    const pairs = Object.entries(headers).map(([name, value]) => `"${name}" = "${value}"`)
    const text = `[mcp_servers.beak]\nurl = "${url}"\nhttp_headers = { ${pairs.join(', ')} }\n`
    return { file: '~/.codex/config.toml', text }
  }
  return program === 'mcp' ? { text: json({ type: 'http', url, headers }) } : null
}

/** Returns the secrets of an agent as an `.env` file. */
export function envFile({
  baseUrl,
  agentId,
  beakKey,
  handshakeToken,
}: Partial<Bonding> & { beakKey?: string }): string {
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
