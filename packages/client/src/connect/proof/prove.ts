/** Proves that the hook decides: runs the real coding agent once, with a model on this computer that asks for one command. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../cli/files'
import type { Layout, ToolName } from '../layout'
import { type Call, startModel } from './model'

const limitMs = 60_000

/** What a trial showed. `closed`: the hook refused the command, and the model read why. `open`: the command ran. */
export interface TrialResult {
  result: 'closed' | 'open' | 'failed'
  text: string
}

const shellCall = (tool: ToolName, command: string): Call =>
  tool === 'claude'
    ? { name: 'Bash', input: { command, description: 'Test of beak connect' } }
    : { name: 'exec_command', input: { cmd: command } }

function wordsOf(tool: ToolName, model: string): string[] {
  if (tool === 'claude') return ['-p', 'go', '--allowedTools', 'Bash']
  const provider = `{name="beak",base_url="${model}/v1",wire_api="responses",env_key="BEAK_TRIAL_KEY"}`
  const settings = ['model="trial"', 'model_provider="beak"', `model_providers.beak=${provider}`]
  return ['exec', ...settings.flatMap((setting) => ['-c', setting]), '--skip-git-repo-check', 'go']
}

/** Runs the trial. It sends nothing to a model of the maker and asks no person. */
export async function proveHook(
  layout: Layout,
  tool: ToolName,
  executable: string,
  env: NodeJS.ProcessEnv,
): Promise<TrialResult> {
  // Always the same folder: the coding agents remember each folder in which they work.
  const folder = join(layout.run, 'trial')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mark = join(folder, 'ran')
  const word = randomBytes(16).toString('hex')
  const command = `touch '${mark}' # beak-trial-${word}`
  const model = await startModel((results) => (results > 0 ? null : shellCall(tool, command)))
  try {
    await replaceFile(layout.trial, JSON.stringify({ tool, command, word }))
    const output = await runOnce(executable, wordsOf(tool, model.url), folder, {
      ...env,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'trial',
      BEAK_TRIAL_KEY: 'trial',
    })
    if (existsSync(mark)) return { result: 'open', text: 'The command ran: the hook was not asked.' }
    const isClosed = model.results().some((result) => result.includes(word))
    if (isClosed) return { result: 'closed', text: 'A test call was refused by the hook.' }
    const lines = output.trim().split('\n').slice(-3).join(' ')
    return { result: 'failed', text: `The test call did not reach the hook. ${lines}`.trim() }
  } finally {
    await model.close()
    await rm(layout.trial, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs a program to its end, and kills it with all that it started at the limit. Returns what it printed. */
async function runOnce(
  program: string,
  words: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4_000)
    })
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, limitMs)
  await new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()))
  clearTimeout(timer)
  return output
}
