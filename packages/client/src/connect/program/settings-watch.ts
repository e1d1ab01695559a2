/** Watches the settings of the coding agents, also those of the projects in which they work, and says when they switch the hooks off. */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import type { Layout, ToolName } from '../layout'
import { tools } from '../tools/tools'

/** Editors write a file in several steps. In milliseconds. */
const settleMs = 500
/** More folders than this are not watched. */
const foldersMax = 200

/** Watches settings until the process ends. */
export class SettingsWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  readonly #open = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()

  /** @param tell is called once when settings have begun to switch hooks off */
  constructor(
    private readonly layout: Layout,
    private readonly tell: (tool: ToolName) => void,
  ) {}

  /** Watches the settings of work in a folder. Looks at them when they are new here, and after each change. */
  add(tool: ToolName, folder: string): void {
    const key = `${tool} ${folder}`
    const later = (delay: number) => {
      clearTimeout(this.#timers.get(key))
      this.#timers.set(key, setTimeout(() => void this.#look(tool, folder), delay).unref())
    }
    if (!this.#timers.has(key)) later(0)
    for (const path of tools[tool].watched(process.env, folder)) {
      const name = `${key} ${path}`
      if (this.#watchers.has(name) || this.#watchers.size >= foldersMax || !existsSync(path)) continue
      const watcher = watch(path, () => later(settleMs)).on('error', () => this.#watchers.delete(name))
      this.#watchers.set(name, watcher)
      later(settleMs)
    }
  }

  async #look(tool: ToolName, folder: string): Promise<void> {
    const found = await tools[tool].findOpen(process.env, this.layout, folder).catch(() => [])
    const key = `${tool} ${folder}`
    if (found.length === 0) return void this.#open.delete(key)
    if (this.#open.has(key)) return
    this.#open.add(key)
    this.tell(tool)
  }
}
