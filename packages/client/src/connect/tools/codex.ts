/** Codex: hooks in `hooks.json`, which its own app server trusts, and the MCP entry in `config.toml`. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { eventsOf } from '../launcher'
import { parseSettings, readSettings, SettingsError } from '../settings'
import type { EditedFile } from '../state'
import { listHooks, trustHooks } from './codex-server'
import { canAddHooks, hasHooks, withHooks, withoutHooks } from './hooks'
import type { CodingTool, Programs } from './tool'

function pathsOf(env: NodeJS.ProcessEnv): { hooks: string; config: string } {
  const folder = env.CODEX_HOME || join(env.HOME || homedir(), '.codex')
  return { hooks: join(folder, 'hooks.json'), config: join(folder, 'config.toml') }
}

/** The lines of the MCP entry. Codex adds its own sections after them, so no comment marks their end. */
const first = '# Added by "beak connect"'
const ownLines = new RegExp(
  `(?:\\r?\\n)?${first}\\r?\\n\\[mcp_servers\\.beak\\]\\r?\\ncommand = [^\\n]*\\nargs = [^\\n]*(?:\\n|$)`,
)

const blockOf = ({ node, program }: Programs) =>
  `${first}\n[mcp_servers.beak]\ncommand = ${JSON.stringify(node)}\nargs = ${JSON.stringify([program, 'mcp', 'codex'])}\n`

function tomlOf(path: string, text: string | null): Record<string, unknown> {
  try {
    return parseToml(text ?? '')
  } catch (error) {
    throw new SettingsError(
      `${path} is left alone: it is not TOML. ${(error as Error).message.split('\n')[0]}`,
    )
  }
}

/** Returns the settings without the sections in which Codex noted its trust in hooks. */
function withoutTrust(text: string, keys: readonly string[]): string {
  return keys.reduce((left, key) => {
    const header = `[hooks.state.${JSON.stringify(key)}]`.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return left.replace(new RegExp(`(?:\\r?\\n)?${header}\\r?\\n(?:(?!\\[)[^\\n]+\\n?)*`), '')
  }, text)
}

const membersOf = (value: unknown) => (value ?? {}) as Record<string, unknown>

export const codex: CodingTool = {
  paths: (env) => Object.values(pathsOf(env)),

  async plan(env, programs) {
    const { hooks, config } = pathsOf(env)
    const edits: EditedFile[] = []
    const before = await readSettings(hooks)
    const value = parseSettings(hooks, before)
    if (!canAddHooks(value))
      throw new SettingsError(`${hooks} is left alone: its hooks have an unknown form.`)
    if (!hasHooks(value, programs.layout, 'codex'))
      edits.push({ path: hooks, before, after: withHooks(before, programs.layout, 'codex') })
    const written = await readSettings(config)
    const settings = tomlOf(config, written)
    if (membersOf(settings.features).hooks === false)
      throw new SettingsError(`${config} switches all hooks off. Remove "hooks = false" first.`)
    const block = blockOf(programs)
    const rest = (written ?? '').replace(ownLines, '')
    const isOwn = rest !== (written ?? '')
    const isTaken = membersOf(tomlOf(config, rest).mcp_servers).beak !== undefined
    if (!isTaken && !(isOwn && written?.includes(block))) {
      const gap = rest === '' || rest.endsWith('\n') ? '\n' : '\n\n'
      edits.push({ path: config, before: written, after: rest === '' ? block : `${rest}${gap}${block}` })
    }
    return edits
  },

  without(path, text, layout, trusted) {
    return path.endsWith('.toml')
      ? withoutTrust(text.replace(ownLines, ''), trusted)
      : withoutHooks(text, layout)
  },

  async trust(env, layout, executable) {
    const { states, keys } = await trustHooks(env, executable, layout.launcher)
    const missing = eventsOf.codex.filter((event) => states[event] !== 'trusted')
    if (missing.length > 0)
      throw new Error(`Codex does not trust the hooks for ${missing.join(', ')}. Open Codex and run: /hooks`)
    return keys
  },

  async findOpen(env, layout, folder) {
    const { hooks, config } = pathsOf(env)
    const isThere = hasHooks(parseSettings(hooks, await readSettings(hooks)), layout, 'codex')
    const found = isThere ? [] : [`The hooks in ${hooks} are gone or changed.`]
    for (const path of [config, join(folder, '.codex', 'config.toml')]) {
      const text = await readSettings(path).catch(() => null)
      if (membersOf(tomlOf(path, text).features).hooks === false)
        found.push(`${path} switches all hooks off ("hooks = false").`)
    }
    return found
  },

  async findUntrusted(env, layout, executable, folder) {
    const states = await listHooks(env, executable, layout.launcher, folder)
    return eventsOf.codex
      .filter((event) => states[event] !== 'trusted')
      .map(
        (event) =>
          `Codex ${states[event] === undefined ? 'does not find' : 'does not trust'} the hook for ${event}, so it skips it.`,
      )
  },

  watched: (env, folder) => [dirname(pathsOf(env).hooks), join(folder, '.codex')],
}
