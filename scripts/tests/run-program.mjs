/** Runs a program of a stage and prints its output, each line with the name of the stage. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../prepare.mjs'

/** The end of the output that is printed again when a stage has failed. */
const tailLines = 80

/**
 * @param {{ name: string, command: string, args: string[], env?: Record<string, string>, cwd?: string }} program without a name the
 *   output is printed as it is
 * @returns {Promise<{ succeeded: boolean, tail: string }>}
 */
export function runProgram({ name, command, args, env = {}, cwd = root }) {
  const child = spawn(command, args, {
    cwd,
    stdio: ['ignore', name ? 'pipe' : 'inherit', name ? 'pipe' : 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...env },
  })
  const tail = []
  const print = (line) => {
    process.stdout.write(`[${name}] ${line}\n`)
    tail.push(line)
    if (tail.length > tailLines) tail.shift()
  }
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', print)
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ succeeded: code === 0, tail: tail.join('\n') }))
    child.on('error', (error) => resolve({ succeeded: false, tail: error.message }))
  })
}

/** Runs a program that is one check: its output is shown only when it fails. */
export async function runCheckProgram(name, command, args) {
  const { succeeded, tail } = await runProgram({ name, command, args })
  return {
    passed: succeeded ? 1 : 0,
    failed: succeeded ? 0 : 1,
    failures: succeeded ? [] : [{ title: name, text: tail }],
  }
}
