/** Runs npm for the supply chain checks. */
import { spawn } from 'node:child_process'
import { npmCommand, root } from '../prepare.mjs'

/**
 * Runs npm in the root folder and returns what it printed.
 *
 * @param {string[]} args
 * @param {{ limitMs: number, env?: Record<string, string> }} options npm is killed after `limitMs`
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string, timedOut: boolean }>} `code` is null when npm
 *   was killed or did not start
 */
export function runNpm(args, { limitMs, env = {} }) {
  return new Promise((resolve) => {
    // `npm test --silent` sets the log level of every npm below it, and a silent npm may print nothing.
    const child = spawn(npmCommand, [...args, '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
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
