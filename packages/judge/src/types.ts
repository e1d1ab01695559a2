/** What the judge gets and what it answers. */

/** A call of a tool that a coding agent is about to make. */
export interface ToolCall {
  agent: 'claude' | 'codex'
  tool: string
  input: Record<string, unknown>
  cwd: string
}

/** Facts about the computer that the judge needs. `readPlace` reads them; tests write them by hand. */
export interface Place {
  home: string
  /** The root of the repository of `cwd`, or `cwd`. */
  folder: string
  /** The branch that is checked out, the remotes and the aliases of git, as read from its files (no process is started). */
  git: { branch: string | null; remotes: Record<string, string>; aliases: Record<string, string> } | null
  /** Absolute paths of files that define builds and tests and that changed since the person last answered about them. */
  changedBuildFiles: string[]
  /** Absolute paths of settings and hooks of the coding agents and of the files of Beak. */
  guardedPaths: string[]
  /** Asks about all that is not reading or on the list of harmless commands. */
  isStrict?: boolean
}

/** Why a call is asked about. `sentenceOf` writes it for people. */
export interface Reason {
  rule: string
  values: Record<string, string | number>
}

export type Level = 'low' | 'medium' | 'high'

export type Judgement =
  | { ask: false }
  | {
      ask: true
      /** Such as `git:push`, `delete:files`, `change:agent-settings`. A line with several dangerous parts is `run:commands`. */
      action: string
      /** What the person sees and what rules can match. Secrets are masked. */
      params: Record<string, unknown>
      /** At least one. */
      reasons: Reason[]
      level: Level
      /** Parts of `params.command` that are dangerous, as [start, end) offsets. */
      marked: [number, number][]
      /** Build files whose digests count as answered when the person approves. */
      buildFiles: string[]
    }
