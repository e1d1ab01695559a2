/** `npm run example` as a process, with the service that it starts itself. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

it('orders with the permission of its person once, and is refused the second time', async () => {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['--import', 'tsx', 'examples/agent/main.ts'], {
    env: { PATH, HOME, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(code).toBe(0)
  // The shop of the example has no secret and no store.
  expect(errors.trim().split('\n')).toEqual([expect.stringContaining('BEAK_SHOP_SECRET')])
  expect(output).toMatch(/It demands an approval that a passkey signs, with the challenge [\w.-]+\.\n/)
  const answers = output.split('\n').filter((line) => line.includes('answers'))
  expect(answers.map((line) => line.trim())).toEqual([
    'The shop answers 401: This request needs a permission.',
    'The shop answers 200: this is order 1.',
    'The shop answers 403: The permission was used before.',
    expect.stringMatching(/"valid":true.*"approved":true/),
    expect.stringContaining('"valid":false'),
  ])
}, 120_000)
