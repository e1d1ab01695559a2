/** Where `beak connect` keeps its files: a folder of its own beside the stored sessions, which only the user can read. */
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** The coding agents that `beak connect` knows. */
export const toolNames = ['claude', 'codex'] as const
export type ToolName = (typeof toolNames)[number]

export const toolTitles: Record<ToolName, string> = { claude: 'Claude Code', codex: 'Codex' }

/** What a model reads when a person must mend the connection: a model that does it would go round its own guard. */
export const tellUser = (tool: ToolName): string =>
  `Tell the user to run "beak connect ${tool}" in a terminal. Do not run it yourself.`

export interface Layout {
  /** The folder of all the others. */
  folder: string
  /** What is connected, and which files were changed for that. */
  state: string
  /** The credentials that can only ask. */
  credentials: string
  /** The program that the launcher starts. */
  programs: string
  launcher: string
  /** The folder of the helper's socket and its secrets. */
  run: string
  socket: string
  /** The header that a caller sends to the helper, for curl. */
  header: string
  /** What the helper answers about a harmless call. */
  proof: string
  /** Digests of build files that the person last answered about, by path. */
  answered: string
  /** One line for each call that was judged, in the mode `watch` and during an outage. */
  log: string
  /** The key of the fingerprints of masked calls. */
  key: string
  /** The call that a test of the connection makes. */
  trial: string
}

/** Returns the places of the files in the folder that holds the stored sessions. */
export function layoutIn(folder: string): Layout {
  const base = join(folder, 'connect')
  const run = join(base, 'run')
  return {
    folder: base,
    state: join(base, 'state.json'),
    credentials: join(base, 'credentials.json'),
    programs: join(base, 'programs'),
    launcher: join(base, 'ask-beak'),
    run,
    socket: join(run, 'helper.sock'),
    header: join(run, 'header'),
    proof: join(run, 'proof'),
    answered: join(base, 'answered.json'),
    log: join(base, 'log.jsonl'),
    key: join(base, 'key'),
    trial: join(base, 'trial.json'),
  }
}

/** Returns the folder of a user for all that Beak stores on this computer (XDG base directories). */
export function configFolder(env: NodeJS.ProcessEnv): string {
  const base =
    env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homeOf(env), '.config')
  return join(base, 'beak')
}

const homeOf = (env: NodeJS.ProcessEnv): string => env.HOME || homedir()

/** Returns the layout of the folder in which a program of `beak connect` lies. */
export function layoutAround(program: string): Layout {
  return layoutIn(dirname(dirname(dirname(dirname(program)))))
}
