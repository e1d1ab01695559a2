/** What `beak connect status` finds out about a connected coding agent. */
import { findTool } from './find'
import { openCases } from './install'
import { lastHeartbeat } from './last-heartbeat'
import type { Layout, ToolName } from './layout'
import { proveHook, type TrialResult } from './proof/prove'
import { identityOf } from './sign-in'
import type { Connected } from './state'
import { tools } from './tools/tools'

export interface ToolStatus {
  tool: ToolName
  version: string
  agent_name: string
  agent_id: string
  mode: Connected['mode']
  on_outage: Connected['on_outage']
  /** Whether the service accepts the stored credential. */
  connection: 'valid' | 'ended or not reachable'
  /** ISO 8601, UTC: when the service last heard of a session. */
  heartbeat: string | null
  /** What keeps the hook from being asked. Each is a sentence. */
  open: string[]
  trial: TrialResult
  /** What no hook can hold, as tried with a version of the coding agent. */
  cannot_hold: { version: string; date: string; cases: string[] }
}

/** Reads the settings, asks the service and the coding agent, and makes a test call through the coding agent. */
export async function readStatus(
  layout: Layout,
  tool: ToolName,
  connected: Connected,
  env: NodeJS.ProcessEnv,
): Promise<ToolStatus> {
  const { agent_name, agent_id, mode, on_outage, url } = connected
  const executable = (await findTool(tool, env))?.executable ?? connected.executable
  const folder = process.cwd()
  const sentences = (error: unknown) => [error instanceof Error ? error.message : String(error)]
  const [identity, heartbeat, settings, trust, installed] = await Promise.all([
    identityOf(layout, tool, url),
    lastHeartbeat(layout, tool),
    tools[tool].findOpen(env, layout, folder).catch(sentences),
    tools[tool].findUntrusted(env, layout, executable, folder).catch(sentences),
    findTool(tool, env),
  ])
  return {
    tool,
    version: installed?.version ?? '',
    agent_name,
    agent_id,
    mode,
    on_outage,
    connection: identity?.agent_id === agent_id ? 'valid' : 'ended or not reachable',
    heartbeat: heartbeat?.at.toISOString() ?? null,
    open: [...settings, ...trust],
    trial: await proveHook(layout, tool, executable, env),
    cannot_hold: await openCases(tool),
  }
}

/** Whether the coding agent asks before it acts. */
export const isHeld = ({ connection, open, trial }: ToolStatus): boolean =>
  connection === 'valid' && open.length === 0 && trial.result === 'closed'
