/** Writes the settings with which a coding agent starts the hook. */
import type { CodingAgent } from './hook'

/** How the command line of the hook is started: absolute paths, because the coding agent may have another search path. */
export interface HookProgram {
  node: string
  program: string
}

/**
 * How many seconds the coding agents wait for the hook: a day. A hook that hangs then keeps the command waiting, where a short limit would let it
 * run. The hook itself ends after `wait` of its rules.
 */
const hookTimeout = 86_400

const quoted = (path: string) => `'${path.replace(/\\/g, '/').replace(/'/g, "'\\''")}'`

/**
 * Returns the command line of the hook for a POSIX shell. It blocks, with exit code 2 and a sentence, when the hook does not start, is killed, or
 * prints anything but one of its answers.
 */
export function hookCommand(agent: CodingAgent, { node, program }: HookProgram): string {
  const hook = `${quoted(node)} ${quoted(program)} hook ${agent} --limit ${hookTimeout}`
  const answers = `'{}'|'{"hookSpecificOutput":{'*'}}'`
  return `answer=$(${hook}) && case "$answer" in ${answers}) printf '%s\\n' "$answer";; *) false;; esac || { echo "Beak could not be asked" >&2; exit 2; }`
}

/** Returns the settings: for Claude Code a part of `settings.json`, for Codex the file `hooks.json`. */
export function hookSettings(agent: CodingAgent, program: HookProgram): object {
  const hook = { type: 'command', command: hookCommand(agent, program), timeout: hookTimeout }
  // Claude Code alone can block by itself when a hook does not start or takes too long.
  const entry =
    agent === 'claude' ? { matcher: '*', hooks: [{ ...hook, onFailure: 'block' }] } : { hooks: [hook] }
  return { hooks: { PreToolUse: [entry] } }
}
