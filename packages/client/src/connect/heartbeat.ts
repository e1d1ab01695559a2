/** Says to the service that a session of the coding agent asks before it acts, or that it no longer does. It gives no right. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connectedBeak } from './credential'
import { noteHeartbeat } from './last-heartbeat'
import type { Layout, ToolName } from './layout'
import { computerName } from './machine'
import { type Connected, readState } from './state'

/** How long the coding agent may wait for this at its start, in milliseconds. */
const timeoutMs = 5_000

export interface Heartbeat {
  event: 'session' | 'unguarded' | 'disconnected'
  /** The session that works with the hook. */
  session?: string | undefined
  /** ISO 8601, UTC: since when the settings switch the hook off. */
  since?: string | undefined
}

async function versionOf({ executable }: Connected): Promise<string> {
  const { stdout } = await promisify(execFile)(executable, ['--version'], { timeout: timeoutMs }).catch(
    () => ({
      stdout: '',
    }),
  )
  return /\d+\.\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? 'unknown'
}

/** Sends a heartbeat. Does nothing for a coding agent that is not connected. Throws when the service does not take it. */
export async function sendHeartbeat(layout: Layout, tool: ToolName, heartbeat: Heartbeat): Promise<void> {
  const connected = (await readState(layout)).tools[tool]
  if (connected === undefined) return
  const beak = await connectedBeak(layout, tool)
  const { mode } = connected
  const body = { tool, version: await versionOf(connected), computer: computerName(), mode, ...heartbeat }
  await beak.sendHeartbeat(body, { timeout: timeoutMs, retries: 1 })
  if (heartbeat.session !== undefined) await noteHeartbeat(layout, tool, heartbeat.session)
}
