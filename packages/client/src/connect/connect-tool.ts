/** The steps of `beak connect` for one coding agent. */
import type { Session } from '../cli/session'
import { trustHooks, writeConnection } from './connect'
import { plannedPrograms } from './install'
import { type Layout, type ToolName, toolTitles } from './layout'
import { computerName } from './machine'
import { proveHook } from './proof/prove'
import { SettingsError } from './settings'
import { allowByDevice, allowInBrowser, type Identity, identityOf } from './sign-in'
import { type Connected, type EditedFile, type Mode, readState } from './state'
import type { Installed, Programs } from './tools/tool'
import { tools } from './tools/tools'

interface Target {
  tool: ToolName
  installed: Installed
  url: string
}

export interface ConnectOptions {
  mode: Mode | undefined
  onOutage: Connected['on_outage'] | undefined
  isWithoutBrowser: boolean
}

export interface ConnectResult {
  tool: ToolName
  /** `planned`: nothing was changed. `left alone`: a settings file has a form that is not touched. */
  result: 'closed' | 'open' | 'failed' | 'planned' | 'left alone'
  title: string
  lines: string[]
}

export interface Plan extends Target {
  title: string
  programs: Programs
  known: Connected | undefined
  edits: EditedFile[]
  /** Whether the stored connection is already as it is wanted. */
  isSame: boolean
}

/** Returns what would be changed to connect a coding agent, or why its settings are left alone. */
export async function planTool(
  env: NodeJS.ProcessEnv,
  layout: Layout,
  target: Target,
  { mode, onOutage }: ConnectOptions,
): Promise<Plan | ConnectResult> {
  const { tool, installed, url } = target
  const title = `${toolTitles[tool]} ${installed.version}`.trim()
  const programs = await plannedPrograms(layout)
  const known = (await readState(layout)).tools[tool]
  try {
    const edits = await tools[tool].plan(env, programs)
    const isWanted = known?.url === url && (mode ?? known.mode) === known.mode
    const isSame = edits.length === 0 && isWanted && (onOutage ?? known.on_outage) === known.on_outage
    return { ...target, title, programs, known, edits, isSame }
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return { tool, result: 'left alone', title, lines: [error.message] }
  }
}

/** Connects a coding agent as planned, and proves it. What is there already is left as it is. */
export async function connectTool(
  session: Session,
  layout: Layout,
  { tool, installed, url, title, programs, known, edits, isSame }: Plan,
  { mode, onOutage, isWithoutBrowser }: ConnectOptions,
): Promise<ConnectResult> {
  const { env } = session
  const identity = await identify(session, layout, { tool, installed, url }, isWithoutBrowser)
  const agent_name = known?.agent_id === identity.agent_id ? known.agent_name : nameFor(tool)
  const connected = {
    url,
    ...identity,
    agent_name,
    mode: mode ?? known?.mode ?? 'guard',
    on_outage: onOutage ?? known?.on_outage ?? 'refuse',
    executable: installed.executable,
    connected_at: isSame ? (known?.connected_at ?? Date.now()) : Date.now(),
  }
  try {
    await writeConnection(programs, tool, connected, edits)
    await trustHooks(layout, tool, installed, env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return { tool, result: 'left alone', title, lines: [error.message] }
  }
  const { result, text } = await proveHook(layout, tool, installed.executable, env)
  return {
    tool,
    result,
    title,
    lines: result === 'closed' ? [text, ...whatNow(tool, connected.mode)] : [text],
  }
}

const nameFor = (tool: ToolName) => `${toolTitles[tool]} on ${computerName()}`

const whatNow = (tool: ToolName, mode: Mode) =>
  mode === 'watch'
    ? [`${toolTitles[tool]} asks nothing (mode watch). What it would ask is noted. Later: connect report`]
    : [
        `${toolTitles[tool]} now asks you before it pushes, deletes, publishes or spends.`,
        'Try it: tell it to push a branch.',
      ]

/** Returns who asks: of the credential that is there, or of one that the person allows now. */
async function identify(
  session: Session,
  layout: Layout,
  { tool, url }: Target,
  isWithoutBrowser: boolean,
): Promise<Identity> {
  const known = await identityOf(layout, tool, url)
  if (known !== null) return known
  const allow = isWithoutBrowser ? allowByDevice : allowInBrowser
  await allow(session, layout, tool, url, nameFor(tool))
  const identity = await identityOf(layout, tool, url)
  if (identity === null) throw new Error(`${url} does not accept the connection that was just allowed.`)
  return identity
}
