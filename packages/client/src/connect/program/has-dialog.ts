import type { ToolName } from '../layout'

/**
 * Whether the coding agent shows its own dialog when the hook says `ask`. In doubt not: then the hook waits. Claude Code says so in the
 * environment. Codex has no such answer, and asks its hook for `PermissionRequest` before its dialog and not beside it.
 */
export const hasDialog = (tool: ToolName, env: NodeJS.ProcessEnv): boolean =>
  tool === 'claude' && env.CLAUDE_CODE_SESSION_ATTENDED === '1'
