/** Puts the hooks of Beak into a home, as `beak connect` does, for a service that cannot be reached. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProgram } from '@/packages/client/bundle.mjs'
import { installPrograms } from '@/packages/client/src/connect/install'
import { configFolder, type Layout, layoutIn } from '@/packages/client/src/connect/layout'
import { applyEdit } from '@/packages/client/src/connect/settings'
import { type Connected, storeCredential, writeState } from '@/packages/client/src/connect/state'
import { trustHooks } from '@/packages/client/src/connect/tools/codex-server'
import { tools } from '@/packages/client/src/connect/tools/tools'
import type { Agent } from './agents'
import type { Home } from './home'
import { installProgram } from './install'

export interface Guard {
  agent: Agent
  home: Home
  /** The file of the agent's settings with the hooks. */
  settings: string
  /** The shell script that the hooks start. */
  program: string
}

// biome-ignore lint/suspicious/noExplicitAny: the settings of others
type Settings = any

/** Replaces the program of the hooks by another shell script. */
export function writeProgram({ program }: Guard, text: string): void {
  writeFileSync(program, `#!/bin/sh\n${text}\n`)
  chmodSync(program, 0o755)
}

/** Changes the settings of the agent, as another program would. */
export function editSettings({ settings }: Guard, change: (value: Settings) => unknown): void {
  const value = JSON.parse(readFileSync(settings, 'utf8'))
  change(value)
  writeFileSync(settings, JSON.stringify(value))
}

/** Makes Codex trust all hooks, as a person does with `/hooks`. */
export async function trustAll({ agent, home }: Guard): Promise<void> {
  if (agent === 'codex') await trustHooks(home.env, (await installProgram('codex')).executable, '')
}

let bundled: Promise<string> | null = null

/** Returns the folder with the program of the hooks, which is built once. */
function theProgram(): Promise<string> {
  bundled ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'beak-hooks-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await bundleProgram(folder)
    return folder
  })()
  return bundled
}

const programIn = ({ programs }: Layout) => join(programs, 'x', 'beak-connect.mjs')

/** Nothing listens there. */
const noService = 'http://127.0.0.1:9'

/** Connects the agent of a home with a service. Nobody knows its key there, unless the person and the key are given. */
export async function setService(
  { agent, home }: Pick<Guard, 'agent' | 'home'>,
  url: string,
  { target, key } = { target: 'DUCK-A7K2M', key: 'BEAK-KEY' },
): Promise<void> {
  const layout = layoutIn(configFolder(home.env))
  const { executable } = await installProgram(agent)
  const connected: Connected = {
    url,
    target,
    agent_id: 'AGT-0',
    agent_name: 'Agent on otter',
    mode: 'guard',
    on_outage: 'refuse',
    executable,
    files: [],
    connected_at: 0,
  }
  await writeState(layout, { program: programIn(layout), tools: { [agent]: connected } })
  await storeCredential(layout, agent, { url, key })
}

/** Puts the hooks into a home. They refuse every call that needs a question, because no service answers. */
export async function guard(agent: Agent, home: Home): Promise<Guard> {
  const layout = layoutIn(configFolder(home.env))
  const programs = { layout, node: process.execPath, program: programIn(layout) }
  await installPrograms(programs, await theProgram())
  const { executable } = await installProgram(agent)
  await setService({ agent, home }, noService)
  for (const edit of await tools[agent].plan(home.env, programs)) await applyEdit(edit)
  await tools[agent].trust(home.env, layout, executable)
  const settings = agent === 'claude' ? join(home.claude, 'settings.json') : join(home.codex, 'hooks.json')
  return { agent, home, program: layout.launcher, settings }
}
