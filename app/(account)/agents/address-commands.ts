/**
 * Returns the commands that give programs the address of the MCP server, which then open the browser. https://code.claude.com/docs/en/mcp,
 * https://geminicli.com/docs/tools/mcp-server, https://developers.openai.com/codex/mcp
 */
export const addressCommands = (url: string) => ({
  claudeCode: `claude mcp add --scope user --transport http beak '${url}'`,
  gemini: `gemini mcp add --scope user --transport http beak '${url}'`,
  codex: `codex mcp add beak --url '${url}'`,
})

/** Returns the link with which Cursor installs the MCP server. https://cursor.com/docs/mcp/install-links */
export function cursorLink(url: string): string {
  const config = Buffer.from(JSON.stringify({ url })).toString('base64')
  return `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name: 'beak', config })}`
}
