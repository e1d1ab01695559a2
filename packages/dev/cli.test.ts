/** The command line with test services: `beak dev` and `beak trigger`. */
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { aTerminal } from '@/packages/client/test/beak-process'
import type { Announcement } from './service'

it('starts a test service from the source, and triggers events in it', { timeout: 120_000 }, async () => {
  const dev = aTerminal({ HOME: process.env.HOME ?? '' }).start(['dev', '--port', '0', '--json'])
  const [line] = await dev.until(/^\{"url".*\}$/m)
  const { url } = JSON.parse(line) as Announcement
  const terminal = aTerminal({ BEAK_URL: url })
  expect(await terminal.json(['trigger', '--list'])).toContain('peck.approved')
  const unheard = await terminal.start(['trigger', 'peck.approved']).ended
  expect([unheard.code, unheard.stderr]).toEqual([1, expect.stringContaining('No webhook subscribes')])
  const unknown = await terminal.start(['trigger', 'nothing.happened']).ended
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('E4000')])
  const { token } = await fetch(`${url}/beak/test/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  }).then((response) => response.json())
  const listening = aTerminal({ BEAK_URL: url, BEAK_TOKEN: token }).start(['webhook', 'listen'])
  await listening.until(/whsec_/)
  const sent = await terminal.start(['trigger', 'peck.approved']).ended
  expect([sent.code, sent.stdout]).toEqual([0, 'Sent peck.approved to 1 of your webhooks.\n'])
  await listening.until(/peck\.approved/)
  listening.child.kill('SIGINT')
  await listening.ended
  dev.child.kill('SIGINT')
  expect((await dev.ended).code).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

it('names the package without the source, and runs nothing', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'beak-elsewhere-'))
  const { code, stderr } = await aTerminal({ BEAK_URL: 'https://beak.example' }).start([
    'dev',
    '--source',
    elsewhere,
  ]).ended
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/npx https:\/\/beak\.example\/clients\/beak-dev-\d+\.\d+\.\d+\.tgz/),
  ])
})

it('says that an ordinary service triggers nothing', async () => {
  const ordinary = createServer((_request, response) => response.writeHead(404).end('{}'))
  await new Promise<void>((resolve) => ordinary.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void ordinary.close())
  const url = `http://127.0.0.1:${(ordinary.address() as AddressInfo).port}`
  const { code, stderr } = await aTerminal({ BEAK_URL: url }).start(['trigger', 'peck.approved']).ended
  expect([code, stderr]).toEqual([1, expect.stringContaining('no service for tests')])
})
