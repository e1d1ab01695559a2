/** The program in examples/mcp, against the server. */
import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { McpListeners } from './_server/client'

const listeners = new McpListeners()
beforeAll(() => listeners.start())
afterAll(() => listeners.stop())

it('asks, waits until its person approves, acts once, and is refused the second time', async () => {
  const person = await aDuckling()
  const agent = await anAgent(person)
  const env = { ...process.env, BEAK_URL: listeners.url().origin, BEAK_KEY: agent.beakKey }
  const program = spawn(process.execPath, ['examples/mcp/main.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => program.once('exit', resolve))
  let output = ''
  program.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  await expect.poll(() => output, { timeout: 20_000 }).toContain('Waiting for the decision')
  const [, peckId] = /Decide here: \S+\/pecks\/(PECK-\w+)/.exec(output) ?? []
  await call('POST /beak/peck/approve', { token: person.token, body: { peck_id: peckId } })
  expect(await ended).toBe(0)
  expect(output).toContain(`I am ${agent.name} and act for ${person.displayName}.`)
  expect(output).toContain('Approved: sending a mail to pond@example.com.')
  expect(output).toContain('A second mail is refused. E4008:')
})
