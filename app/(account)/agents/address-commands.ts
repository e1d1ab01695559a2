import { version } from '@/lib/kernel/service/version'

/** Returns the command that makes Claude Code and Codex ask before they act. The package is that of this service. */
export const connectCommand = (baseUrl: string) => `npx ${baseUrl}/clients/beak-client-${version}.tgz connect`

/** Returns the command that gives Gemini CLI the address of the MCP server. https://geminicli.com/docs/tools/mcp-server */
export const geminiCommand = (url: string) => `gemini mcp add --scope user --transport http beak '${url}'`

/** Returns the link with which Cursor installs the MCP server. https://cursor.com/docs/mcp/install-links */
export function cursorLink(url: string): string {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64')
  return `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name: 'beak', config })}`
}
