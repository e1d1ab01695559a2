/** Servers that all workers of a test run share: a start, and the first view of each page, cost more than most tests. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eventually, type RunningServer, type Server, serviceEnv } from './server'

type Result<T> = T & { server: Pick<Server, 'url' | 'port' | 'dataDir'> }

const logOf = (file: string) => join(dirname(file), 'server.log')

/** Ends this process, and with it the server, when the runner has ended. */
function endWith(runner: number): void {
  setInterval(() => {
    try {
      process.kill(runner, 0)
    } catch {
      process.exit()
    }
  }, 500)
}

/**
 * Runs a server in this process until the runner ends: the whole of a program that `sharedServer` starts. Writes what `make` returns to a
 * file, and the output of the server to another.
 */
export async function serve<T extends { server: RunningServer }>(make: () => Promise<T>): Promise<void> {
  const [, , runner = '', file = ''] = process.argv
  endWith(Number(runner))
  const result = await make().then(
    ({ server, ...rest }) => {
      const { url, port, dataDir, child } = server
      writeFileSync(logOf(file), server.output())
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk) => appendFileSync(logOf(file), chunk))
      return { ...rest, server: { url, port, dataDir } }
    },
    (error: unknown) => ({ error: String(error) }),
  )
  writeFileSync(`${file}.new`, JSON.stringify(result))
  renameSync(`${file}.new`, file)
}

/** Makes a folder. Returns whether this process made it. */
function makeFolder(folder: string): boolean {
  mkdirSync(dirname(folder), { recursive: true })
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (existsSync(folder)) return false
    throw error
  }
}

/**
 * Returns the server that a program in this folder runs, with what else it made. The first worker that needs it starts the program.
 * Playwright empties `outputDir` before each run. `seconds`: how long the start may take. The demo world takes some seconds, on a busy
 * machine a minute.
 */
export async function sharedServer<T>(
  program: string,
  outputDir: string,
  seconds = 110,
): Promise<T & { server: Server }> {
  // All workers have the runner as their parent.
  const runner = String(process.ppid)
  const folder = join(outputDir, `${program}-${runner}`)
  const file = join(folder, 'made.json')
  if (makeFolder(folder))
    spawn(process.execPath, ['--import', 'tsx', join('e2e', `${program}.ts`), runner, file], {
      detached: true,
      stdio: 'ignore',
      env: serviceEnv({}),
    }).unref()
  await eventually(() => existsSync(file) || null, seconds)
  const made: Result<T> & { error?: string } = JSON.parse(readFileSync(file, 'utf8'))
  if (made.error) throw new Error(`${program} did not start: ${made.error}`)
  return { ...made, server: { ...made.server, output: () => readFileSync(logOf(file), 'utf8') } }
}
