/** Judges a call with what is known about this computer. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { type Judgement, loadJudge, readPlace, type ToolCall } from '@beak/judge'
import { configFolder, type Layout, type ToolName } from '../layout'
import { addAnswered, readAnswered } from '../state'
import type { SessionEvent, ToolEvent } from './event'

/** Returns the files that decide whether the person is asked: the settings of the coding agents and the files of Beak. */
function guardedPaths(env: NodeJS.ProcessEnv): string[] {
  const home = env.HOME || homedir()
  return [
    env.CLAUDE_CONFIG_DIR || `${home}/.claude`,
    `${home}/.claude.json`,
    env.CODEX_HOME || `${home}/.codex`,
    configFolder(env),
    '/etc/claude-code',
    '/etc/codex',
  ]
}

export const callOf = (tool: ToolName, event: ToolEvent): ToolCall => ({
  agent: tool,
  tool: event.tool_name,
  input: event.tool_input,
  cwd: event.cwd,
})

/** Judges a call. Build files that are seen for the first time count as answered from then on. */
export async function judgeCall(layout: Layout, call: ToolCall, isStrict = false): Promise<Judgement> {
  const [{ judge }, answered] = await Promise.all([loadJudge(), readAnswered(layout)])
  const home = process.env.HOME || homedir()
  const { place, seen } = await readPlace(call.cwd, home, answered, guardedPaths(process.env))
  await addAnswered(layout, seen)
  return judge(call, { ...place, isStrict })
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

export const nameOfSession = ({ session_id }: SessionEvent): string => hashOf(session_id)

/**
 * Returns a name for a call: the same session, tool and input. The coding agents send no id of the call with `PermissionRequest`, and Codex adds
 * its reason to the input there.
 */
export function nameOfCall({ session_id, tool_name, tool_input }: ToolEvent): string {
  const { description: _, justification: __, ...input } = tool_input
  return hashOf([session_id, tool_name, input])
}

/** Returns the SHA-256 digests of files, by path. A file that is gone has none. */
export async function digestsOf(paths: string[]): Promise<Record<string, string>> {
  const entries = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path).catch(() => null)
      return content === null ? [] : [[path, createHash('sha256').update(content).digest('hex')]]
    }),
  )
  return Object.fromEntries(entries.flat())
}
