/** Runs commands of a program in a home, with what it prints. */
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { inTerminal, quoted } from '../agents'
import type { Home } from '../home'

export interface Running {
  printed(): string
  /** Ends the program with all that it started. */
  kill(): void
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Starts a program in a terminal, as a person does. */
export function start(home: Home, words: string[]): Running {
  const [program = '', ...rest] = inTerminal(words.map(quoted).join(' '))
  const child = spawn(program, rest, { cwd: home.project, env: home.env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += stripVTControlCharacters(String(chunk))
    })
  child.stdin.on('error', () => undefined)
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All have ended already.
    }
  }
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  )
  return { printed: () => output, kill, ended }
}

/** Runs a program to its end, at most 60 s, and returns what it printed. Throws `Error` with that for another exit code than 0. */
export async function run(home: Home, words: string[]): Promise<string> {
  const { printed, kill, ended } = start(home, words)
  const timer = setTimeout(kill, 60_000)
  const code = await ended
  clearTimeout(timer)
  if (code !== 0) throw new Error(`${words.slice(-3).join(' ')} ended with ${code}:\n${printed()}`)
  return printed()
}
