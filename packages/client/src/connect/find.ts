/** Finds the coding agents of this computer, and the service from which the command comes. */
import { execFile } from 'node:child_process'
import { access, constants, readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ToolName } from './layout'
import type { Installed } from './tools/tool'

const run = promisify(execFile)

/** Returns a coding agent, or null when it is not in the search path. */
export async function findTool(tool: ToolName, env: NodeJS.ProcessEnv): Promise<Installed | null> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (folder === '') continue
    const executable = join(folder, tool)
    const isThere = await access(executable, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return { executable, version: await versionOf(executable, env) }
  }
  return null
}

async function versionOf(executable: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run(executable, ['--version'], { env, timeout: 15_000 }).catch(() => ({
    stdout: '',
  }))
  return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? ''
}

/** Returns the address of the service that handed out this package to `npx`, or null. npm writes it beside the package. */
export async function addressOfPackage(entry: string): Promise<string | null> {
  try {
    let folder = dirname(await realpath(entry))
    while (!folder.endsWith(join('node_modules', '@beak', 'client'))) {
      if (dirname(folder) === folder) return null
      folder = dirname(folder)
    }
    const text = await readFile(join(folder, '..', '..', '..', 'package.json'), 'utf8')
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> }
    return (
      /^(https?:\/\/.+)\/clients\/beak-client-[^/]+\.tgz$/.exec(dependencies['@beak/client'] ?? '')?.[1] ??
      null
    )
  } catch {
    return null
  }
}
