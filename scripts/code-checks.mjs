/** The checks of the code that need no database. `npm run check` runs all of them at once. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './prepare.mjs'

/**
 * Those that are no tests.
 *
 * @type {{ name: string, program: string, args: string[] }[]}
 */
export const codeChecks = [
  { name: 'types', program: 'tsc', args: ['--noEmit'] },
  { name: 'lint', program: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'unused code', program: 'knip', args: ['--no-config-hints'] },
  { name: 'code used only by tests', program: 'knip', args: ['--no-config-hints', '--production'] },
]

/** `npm test` runs these tests with the others. */
const architecture = {
  name: 'architecture',
  program: 'vitest',
  args: ['run', '--project=repository', 'scripts/architecture/'],
}

/** Runs one program of node_modules/.bin. Its output appears only when the program fails. */
function runCheck({ name, program, args }) {
  const started = Date.now()
  return new Promise((resolve) => {
    const chunks = []
    const finish = (passed) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      const output = passed ? '' : Buffer.concat(chunks).toString().trimEnd()
      process.stdout.write(
        `${name}: ${passed ? 'passed' : 'failed'} (${seconds} s)\n${output && `${output}\n`}`,
      )
      resolve({ name, passed })
    }
    const child = spawn(join(root, 'node_modules', '.bin', program), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => finish(code === 0))
    child.on('error', () => finish(false))
  })
}

/**
 * Runs every check at the same time.
 *
 * @returns {Promise<{ name: string, passed: boolean }[]>}
 */
export function runCodeChecks() {
  return Promise.all([...codeChecks, architecture].map(runCheck))
}
