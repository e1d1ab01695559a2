/**
 * Runs the command line with a configuration folder of its own: as a person does, bundled and in a process of its own, or in this process,
 * which takes a small part of that time.
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { runCommandLine } from '../src/cli/run'

const folder = mkdtempSync(join(tmpdir(), 'beak-cli-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
export const program = join(folder, 'beak.mjs')

let isBuilt = false
function build(): void {
  if (isBuilt) return
  isBuilt = true
  buildSync({
    entryPoints: ['packages/client/src/cli/main.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    // Packages in CommonJS call `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
  })
}

interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  /** Standard input. Null: it stays open. */
  input?: string | null
}

export interface Running {
  child: ChildProcessWithoutNullStreams
  /** Resolves with the first match in what the process has printed, to both outputs. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  ended: Promise<Ended>
}

/** Runs a command line in this process. It reads the standard input of this process. */
export async function runHere(args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  const place = (name: keyof typeof printed) => ({
    write: (text: string | Uint8Array) => {
      printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString()
    },
  })
  const places = { stdout: place('stdout'), stderr: place('stderr') }
  const code = await runCommandLine(args, env, new AbortController().signal, places)
  return { code, ...printed }
}

/** Collects what a process prints. */
function follow(child: ChildProcessWithoutNullStreams): Running {
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  )
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(stdout) ?? pattern.exec(stderr)
        if (found) resolve(found)
      }
      look()
      child.stdout.on('data', look)
      child.stderr.on('data', look)
      void ended.then(() => reject(new Error(`the process ended before ${pattern}:\n${stdout}${stderr}`)))
    })
  return { child, until, ended }
}

/** Whether the machine has `script` of util-linux, which `startInTerminal` needs. */
export const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true

/** Returns a new configuration folder, and how to run commands with it. */
export function aTerminal(env: Record<string, string> = {}) {
  const config = mkdtempSync(join(folder, 'home-'))
  const environment = (options: RunOptions) => ({
    env: {
      NODE_ENV: 'test' as const,
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: config,
      ...env,
      ...options.env,
    },
  })
  const start = (args: string[], options: RunOptions = {}): Running => {
    build()
    const child = spawn(process.execPath, [program, ...args], environment(options))
    // A command that reads no input may end before it is written.
    child.stdin.on('error', () => undefined)
    if (options.input !== null) child.stdin.end(options.input ?? '')
    return follow(child)
  }
  const run = (args: string[], options: RunOptions = {}): Promise<Ended> =>
    options.input === undefined ? runHere(args, environment(options).env) : start(args, options).ended
  /** Starts a command in a pseudo-terminal of `script` (util-linux). Its input stays open. */
  const startInTerminal = (args: string[]): Running => {
    build()
    const line = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ')
    return follow(spawn('script', ['-qec', line, '/dev/null'], environment({})))
  }
  return {
    config,
    credentials: join(config, 'beak', 'credentials.json'),
    start,
    startInTerminal,
    /** Runs a command to its end: in this process, unless the command gets standard input. */
    run,
    /** Runs a command with `--json` and returns what it printed. Throws unless it succeeds. */
    // biome-ignore lint/suspicious/noExplicitAny: tests read any field of an answer
    async json(args: string[], options: RunOptions = {}): Promise<any> {
      const { code, stdout, stderr } = await run([...args, '--json'], options)
      if (code !== 0) throw new Error(`beak ${args.join(' ')} ended with ${code}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}
