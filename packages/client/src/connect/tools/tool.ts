/** What `beak connect` must know about a coding agent. */
import type { Layout } from '../layout'
import type { EditedFile } from '../state'

export interface Installed {
  /** Absolute path of the program. */
  executable: string
  /** As it prints it. Empty when it does not answer. */
  version: string
}

/** What the hooks and the MCP entry start. */
export interface Programs {
  layout: Layout
  node: string
  program: string
}

export interface CodingTool {
  /** The files that are changed. */
  paths(env: NodeJS.ProcessEnv): string[]
  /** Returns the changes of settings that install the hooks and the MCP entry. Empty when all are there. */
  plan(env: NodeJS.ProcessEnv, programs: Programs): Promise<EditedFile[]>
  /** Returns the text of a settings file without the own lines, and without what the coding agent wrote about them (`trusted`). */
  without(path: string, text: string, layout: Layout, trusted: readonly string[]): string
  /**
   * Does what the files alone do not: makes the coding agent trust the hooks. Returns how it names them. Throws `Error` when it does not trust
   * them.
   */
  trust(env: NodeJS.ProcessEnv, layout: Layout, executable: string): Promise<string[]>
  /** Says what in the settings keeps the hooks from being asked, for work in a folder. Reads files only. */
  findOpen(env: NodeJS.ProcessEnv, layout: Layout, folder: string): Promise<string[]>
  /** Says what only the coding agent itself knows: hooks that it does not trust. */
  findUntrusted(env: NodeJS.ProcessEnv, layout: Layout, executable: string, folder: string): Promise<string[]>
  /** The folders with settings of work in a folder. */
  watched(env: NodeJS.ProcessEnv, folder: string): string[]
}
