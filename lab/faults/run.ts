/** Runs `npm run faults` in a process of its own, for tests. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'

/** Expects that nothing is wrong after the faults that fit into some seconds. A failure shows the seed. */
export async function expectNoFaults(...options: string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lab/faults/main.ts', ...options])
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  expect(code, output).toBe(0)
  return output
}

/** The embedded database has no connection that can be cut. */
export const hasServer = process.env.TEST_DATABASE_URL !== 'none'
