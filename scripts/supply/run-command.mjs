/** Runs the commands of the supply chain checks. */
import { spawn } from 'node:child_process'
import { root } from '../prepare.mjs'

/**
 * Runs a program in the root folder and returns what it printed.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ limitMs?: number, env?: Record<string, string> }} [options] the program is killed after `limitMs`
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, timedOut: boolean }>} `code` is null when the program
 *   was killed or did not start
 */
export function runCommand(program, args, { limitMs = 120_000, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // `npm test --silent` sets the log level of every npm below it, and a silent npm may print nothing.
      env: { ...process.env, npm_config_loglevel: 'error', NO_COLOR: '1', ...env },
    })
    const output = { stdout: '', stderr: '' }
    let timedOut = false
    const timer = setTimeout(() => {
      timedOut = true
      child.kill('SIGKILL')
    }, limitMs)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output.stderr += text
    })
    const end = (code) => {
      clearTimeout(timer)
      resolve({ code, ...output, timedOut })
    }
    child.on('error', () => end(null))
    child.on('close', end)
  })
}
