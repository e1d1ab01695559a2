/** Returns the name of a coding agent, which is the same in every language. */
export const codingAgentName = (tool: string): string => (tool === 'codex' ? 'Codex' : 'Claude Code')
