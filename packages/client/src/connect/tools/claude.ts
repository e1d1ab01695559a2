/** Claude Code: hooks in `settings.json`, the MCP entry in `.claude.json` (review of the formats: docs/pages/reference/scorecard.md). */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Layout } from '../layout'
import { parseSettings, readSettings, SettingsError, withValue } from '../settings'
import type { EditedFile } from '../state'
import { canAddHooks, hasHooks, withHooks, withoutHooks } from './hooks'
import type { CodingTool, Programs } from './tool'

function pathsOf(env: NodeJS.ProcessEnv): { settings: string; servers: string } {
  const home = env.HOME || homedir()
  const folder = env.CLAUDE_CONFIG_DIR
  return {
    settings: join(folder || join(home, '.claude'), 'settings.json'),
    servers: join(folder || home, '.claude.json'),
  }
}

const serverOf = ({ node, program }: Programs) => ({
  type: 'stdio',
  command: node,
  args: [program, 'mcp', 'claude'],
})

function isOwnServer(server: unknown, layout: Layout): boolean {
  return JSON.stringify(server ?? null).includes(JSON.stringify(layout.programs).slice(1, -1))
}

function serverIn(settings: Record<string, unknown>): unknown {
  return (settings.mcpServers as Record<string, unknown> | undefined)?.beak
}

export const claude: CodingTool = {
  paths: (env) => Object.values(pathsOf(env)),

  async plan(env, programs) {
    const { settings, servers } = pathsOf(env)
    const edits: EditedFile[] = []
    const before = await readSettings(settings)
    const value = parseSettings(settings, before)
    if (!canAddHooks(value))
      throw new SettingsError(`${settings} is left alone: its hooks have an unknown form.`)
    if (value.disableAllHooks === true)
      throw new SettingsError(`${settings} switches all hooks off. Remove "disableAllHooks" first.`)
    if (!hasHooks(value, programs.layout, 'claude'))
      edits.push({ path: settings, before, after: withHooks(before, programs.layout, 'claude') })
    const listed = await readSettings(servers)
    const server = serverIn(parseSettings(servers, listed))
    const wanted = serverOf(programs)
    if (server !== undefined && !isOwnServer(server, programs.layout)) return edits
    if (JSON.stringify(server) !== JSON.stringify(wanted))
      edits.push({
        path: servers,
        before: listed,
        after: withValue(listed?.trim() ? listed : '{}\n', ['mcpServers', 'beak'], wanted),
      })
    return edits
  },

  without(path, text, layout) {
    const value = parseSettings(path, text)
    if (!isOwnServer(serverIn(value), layout)) return withoutHooks(text, layout)
    const changed = withValue(text, ['mcpServers', 'beak'], undefined)
    const isEmptied = Object.keys((JSON.parse(changed).mcpServers as object | undefined) ?? {}).length === 0
    return isEmptied ? withValue(changed, ['mcpServers'], undefined) : changed
  },

  /** Claude Code asks nobody about hooks in the settings of the user. */
  async trust() {
    return []
  },

  async findUntrusted() {
    return []
  },

  async findOpen(env, layout, folder) {
    const { settings } = pathsOf(env)
    const value = parseSettings(settings, await readSettings(settings))
    const found = hasHooks(value, layout, 'claude') ? [] : [`The hooks in ${settings} are gone or changed.`]
    for (const path of [settings, ...projectFiles(folder)])
      if (await switchesHooksOff(path)) found.push(`${path} switches all hooks off ("disableAllHooks").`)
    return found
  },

  watched: (env, folder) => [dirname(pathsOf(env).settings), join(folder, '.claude')],
}

const projectFiles = (folder: string) =>
  ['settings.json', 'settings.local.json'].map((name) => join(folder, '.claude', name))

async function switchesHooksOff(path: string): Promise<boolean> {
  try {
    return parseSettings(path, await readSettings(path)).disableAllHooks === true
  } catch {
    // A file that Claude Code may read and this program does not.
    return false
  }
}
