/** Runs the real Claude Code and the real Codex for one prompt, against a model on loopback that asks for a marked command. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { type Call, type Choose, type Model, startModel } from '@/packages/client/src/connect/proof/model'
import type { Home } from './home'
import { installProgram } from './install'

export const agents = ['claude', 'codex'] as const
export type Agent = (typeof agents)[number]

/** What the person types. */
export const prompt = 'go'

export interface RunOptions {
  /** More words for the command line of the agent. */
  args?: string[]
  /** What the model asks for. Default: the marked command, once. */
  choose?: Choose
  /** Starts the agent in a terminal instead of without one. It is ended when the model has a result. */
  isInTerminal?: boolean
  /** Resolves with what a person types in the terminal. */
  typed?: Promise<string>
  /** The terminal stays open until then, also when the model has a result. */
  until?: Promise<unknown>
  limitMs?: number
}

export interface Run {
  /** Whether the marked command ran. */
  ran: boolean
  /** What the model was told about its calls, oldest first. */
  results: string[]
  /** What the agent printed. */
  output: string
  /** Whether the agent was killed at the limit. */
  isLate: boolean
}

/** Returns the call of a command, as each agent names its shell. */
export function shellCall(agent: Agent, command: string): Call {
  return agent === 'claude'
    ? { name: 'Bash', input: { command, description: 'Make the mark' } }
    : { name: 'exec_command', input: { cmd: command } }
}

/** Returns the call of the marked command. It makes the mark, and then what always needs a question: a push, which fails here. */
export const markCall = (agent: Agent, { mark }: Home): Call => shellCall(agent, `touch '${mark}'; git push`)

/** Returns the words that start an agent without a question of its own about the command. */
function wordsOf(agent: Agent, model: string, { args = [], isInTerminal = false }: RunOptions): string[] {
  if (agent === 'claude')
    return [
      ...(isInTerminal ? ['--permission-mode', 'default'] : ['-p']),
      prompt,
      '--allowedTools',
      'Bash',
      ...args,
    ]
  const provider = `{name="loopback",base_url="${model}/v1",wire_api="responses",env_key="MODEL_KEY"}`
  const settings = ['model="m"', 'model_provider="loopback"', `model_providers.loopback=${provider}`]
  const options = settings.flatMap((setting) => ['-c', setting])
  const place = [...(isInTerminal ? [] : ['--skip-git-repo-check']), '--sandbox', 'danger-full-access']
  return [...(isInTerminal ? [] : ['exec']), ...options, ...place, ...args, prompt]
}

/** Answers what Claude Code asks at its first start in a terminal. */
function skipFirstQuestions({ claude, project }: Home): void {
  const projects = { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
  const settings = { hasCompletedOnboarding: true, theme: 'dark', projects }
  writeFileSync(join(claude, '.claude.json'), JSON.stringify(settings))
}

/** The first process in the terminal, which is a group of its own. */
const pidFile = ({ path }: Home) => join(path, 'agent.pid')

/** Returns the words that run a command line in a terminal (util-linux). */
export const inTerminal = (line: string): string[] => [
  'script',
  '--quiet',
  '--return',
  '--command',
  line,
  '/dev/null',
]

export const quoted = (word: string) => `'${word.replace(/'/g, "'\\''")}'`

/** Starts an agent as the first process of a group. */
async function start(
  agent: Agent,
  home: Home,
  model: Model,
  options: RunOptions,
): Promise<ChildProcessByStdio<Writable, Readable, Readable>> {
  const { isInTerminal = false } = options
  const { command } = await installProgram(agent)
  const words = [...command, ...wordsOf(agent, model.url, options)]
  if (isInTerminal) skipFirstQuestions(home)
  // Claude Code asks in a terminal whether it may use a key, and takes a token without a question. `--bare` needs a key.
  const key = isInTerminal ? 'ANTHROPIC_AUTH_TOKEN' : 'ANTHROPIC_API_KEY'
  const env = { ...home.env, ANTHROPIC_BASE_URL: model.url, [key]: 'none', MODEL_KEY: 'none' }
  const [program = '', ...rest] = isInTerminal
    ? inTerminal(`echo $$ >${quoted(pidFile(home))}; exec ${words.map(quoted).join(' ')}`)
    : words
  return spawn(program, rest, { cwd: home.project, env, stdio: 'pipe', detached: true })
}

function killGroup(pid: number | undefined): void {
  try {
    // 0 would be the group of this process.
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended already.
  }
}

/** Runs an agent until it ends, or kills it with all that it started. */
export async function runAgent(agent: Agent, home: Home, options: RunOptions = {}): Promise<Run> {
  const { isInTerminal = false, limitMs = 160_000 } = options
  rmSync(home.mark, { force: true })
  const once: Choose = (results) => (results > 0 ? null : markCall(agent, home))
  const model = await startModel(options.choose ?? once)
  const child = await start(agent, home, model, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  child.stdin.on('error', () => undefined)
  if (isInTerminal) void options.typed?.then((keys) => child.stdin.write(keys))
  else child.stdin.end()
  const killAll = () => {
    const inTerminal = existsSync(pidFile(home)) ? [Number(readFileSync(pidFile(home), 'utf8'))] : []
    for (const group of [child.pid, ...inTerminal]) killGroup(group)
  }
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    killAll()
  }, limitMs)
  let isOver = options.until === undefined
  void options.until
    ?.catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  const look = setInterval(() => {
    if (isInTerminal && isOver && model.results().length > 0) killAll()
  }, 200)
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  clearTimeout(timer)
  clearInterval(look)
  killAll()
  await model.close()
  return { ran: existsSync(home.mark), results: model.results(), output, isLate }
}
