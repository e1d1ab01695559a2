/** The walk of docs/walk.md, as a reader pastes it into a shell. It waits for codes and takes half a minute. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from './own-server'
import { answersOf, comparable, scriptOf, stepsOf } from './walk'

/** Runs a script in the folder of the repository, as the walk says. Returns everything that it printed. */
function runInShell(script: string): Promise<string> {
  const child = spawn('bash', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => child.once('close', () => resolve(output)))
}

test('the walk prints what docs/walk.md shows', async ({ start }) => {
  test.setTimeout(300_000)
  // The walk needs no pages.
  const server = await start({ env: { BEAK_ROLES: 'api,worker' } })
  const steps = stepsOf(readFileSync('docs/walk.md', 'utf8'))
  const script = scriptOf(steps, (commands) =>
    commands
      .replaceAll('http://localhost:3000', server.url)
      .replace(/(?<![\w/])\.data(?=\/)/g, server.dataDir),
  )
  const printed = answersOf(steps, await runInShell(script))
  for (const [index, { answer, line }] of steps.entries()) {
    const actual = (printed[index] ?? '').replaceAll(server.dataDir, '.data')
    expect.soft(comparable(actual), `the answer of line ${line}`).toBe(comparable(answer ?? ''))
  }
})
