/** A coding agent that is connected, with its hooks on disk, on a real service. The hooks run as the coding agents start them. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { bundleProgram } from '../../bundle.mjs'
import { installPrograms } from '../../src/connect/install'
import { type EventName, hookCommand } from '../../src/connect/launcher'
import { type Layout, layoutIn, type ToolName } from '../../src/connect/layout'
import { applyEdit } from '../../src/connect/settings'
import { type Connected, readState, storeCredential, writeState } from '../../src/connect/state'
import { tools } from '../../src/connect/tools/tools'
import type { People } from '../adapters/people'

const base = mkdtempSync(join(tmpdir(), 'beak-connected-'))
process.once('exit', () => rmSync(base, { recursive: true, force: true }))

const homes: string[] = []
/** Removes the computers. The helpers that their hooks have started end then. */
export async function removeComputers(): Promise<void> {
  // A helper may still add files. The retries of `rm` remove no file that came after its first attempt.
  for (const home of homes.splice(0))
    await vi.waitFor(() => rmSync(home, { recursive: true, force: true }), { timeout: 20_000, interval: 100 })
}

let built: Promise<string> | null = null
/** Returns the folder of the built program. */
export function theProgram(): Promise<string> {
  built ??= (async () => {
    const folder = join(base, 'program')
    await bundleProgram(folder)
    return folder
  })()
  return built
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Computer {
  home: string
  /** A repository. */
  project: string
  layout: Layout
  /** Runs the hook of an event, as the settings say. */
  run(tool: ToolName, event: EventName, input: unknown, env?: Record<string, string>): Running
  /** Changes what is stored about a tool. */
  change(tool: ToolName, changes: Partial<Connected>): Promise<void>
}

interface Running {
  /** Kills the hook with all that it started. */
  kill(): void
  ended: Promise<Ended>
}

/** Makes a computer with both coding agents connected. */
export async function aComputer(
  url: string,
  { target, key }: Pick<People, 'target' | 'key'>,
): Promise<Computer> {
  const home = mkdtempSync(join(base, 'home-'))
  homes.push(home)
  const project = join(home, 'otter')
  mkdirSync(project)
  spawnSync('git', ['init', '-q', '-b', 'main'], { cwd: project })
  spawnSync('git', ['remote', 'add', 'origin', 'git@github.com:ada/otter.git'], { cwd: project })
  const layout = layoutIn(join(home, '.config', 'beak'))
  const program = join(layout.programs, 'x', 'beak-connect.mjs')
  const programs = { layout, node: process.execPath, program }
  await installPrograms(programs, await theProgram())
  for (const tool of ['claude', 'codex'] as const)
    for (const edit of await tools[tool].plan({ NODE_ENV: 'test', HOME: home }, programs))
      await applyEdit(edit)
  const connected: Connected = {
    url,
    target,
    agent_id: 'AGT-0',
    agent_name: 'Claude Code on otter',
    mode: 'guard',
    on_outage: 'refuse',
    executable: process.execPath,
    files: [],
    connected_at: 0,
  }
  await writeState(layout, { program, tools: { claude: connected, codex: connected } })
  for (const tool of ['claude', 'codex'] as const) await storeCredential(layout, tool, { url, key })
  return {
    home,
    project,
    layout,
    run(tool, event, input, env = {}) {
      const child = spawn('sh', ['-c', hookCommand(layout, tool, event)], {
        cwd: project,
        env: { NODE_ENV: 'test', PATH: process.env.PATH, HOME: home, ...env },
        detached: true,
      })
      const ended = Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.once('close', resolve)),
      ]).then(([stdout, stderr, code]) => ({ stdout, stderr, code }))
      child.stdin.on('error', () => undefined)
      child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input))
      return { kill: () => void process.kill(-(child.pid ?? 0), 'SIGKILL'), ended }
    },
    async change(tool, changes) {
      const state = await readState(layout)
      const before = state.tools[tool]
      if (before !== undefined)
        await writeState(layout, { ...state, tools: { ...state.tools, [tool]: { ...before, ...changes } } })
    },
  }
}

/** The environment of a hook of Claude Code in a terminal. */
export const inTerminal = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }

/** The event of a command, as both coding agents send it. */
export const callEvent = ({ project }: Computer, command: string, changes: object = {}) => ({
  session_id: 'session-1',
  cwd: project,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command, description: 'Publish the work' },
  tool_use_id: 'toolu_01',
  ...changes,
})

/** Returns the decision in what a hook printed, or null when it left the call to the coding agent. */
export function decisionIn({
  stdout,
  code,
  stderr,
}: Ended): { behavior: string; reason: string; input?: unknown } | null {
  if (code !== 0) throw new Error(`the hook ended with ${code}: ${stderr}`)
  const { hookSpecificOutput: output } = JSON.parse(stdout)
  if (output === undefined) return null
  const { permissionDecision, permissionDecisionReason, updatedInput, decision } = output
  if (decision !== undefined)
    return { behavior: decision.behavior, reason: decision.message ?? '', input: decision.updatedInput }
  return { behavior: permissionDecision, reason: permissionDecisionReason, input: updatedInput }
}
