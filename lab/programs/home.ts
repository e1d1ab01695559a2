/** A home folder of its own for each run of a coding agent, with a project in it. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Home extends Disposable {
  path: string
  /** The project in which the agent works. */
  project: string
  claude: string
  codex: string
  /** The file that the marked command makes, outside of the project. */
  mark: string
  env: NodeJS.ProcessEnv
}

/** Makes a home. Nothing of the user of this computer is in it or in its environment. */
export function makeHome(): Home {
  const path = mkdtempSync(join(tmpdir(), 'beak-home-'))
  const [project, claude, codex] = ['project', '.claude', '.codex'].map((name) => join(path, name))
  const folders = { project: project ?? '', claude: claude ?? '', codex: codex ?? '' }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  return {
    path,
    ...folders,
    mark: join(path, 'MARK'),
    env: {
      NODE_ENV: 'production',
      HOME: path,
      PATH: process.env.PATH ?? '',
      CLAUDE_CONFIG_DIR: folders.claude,
      CODEX_HOME: folders.codex,
      NO_COLOR: '1',
      // Claude Code asks no other server than the model.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  }
}

/** Makes Codex trust the project, as a person does when Codex asks at the first start there. */
export function trustProject({ codex, project }: Home): void {
  appendFileSync(join(codex, 'config.toml'), `\n[projects."${project}"]\ntrust_level = "trusted"\n`)
}
