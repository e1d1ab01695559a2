/** The command line against the built service: signing in with a browser, and starting a service with sample data. */
import { execFileSync } from 'node:child_process'
import { aTerminal } from '@/clients/typescript/test/beak-process'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { button, expectFocusOn, open } from './browser'
import { expect, test } from './fixtures'

test('beak login ends when the link is approved in the browser, and the session works', async ({
  ownPage: page,
  person,
  server,
}) => {
  const terminal = aTerminal({ BEAK_URL: server.url })
  const login = terminal.start(['login', '--name', 'laptop'])
  const [, link = ''] = await login.until(/Approve it at: (\S+)/)
  const { pathname, search } = new URL(link)
  await open(page, `${pathname}${search}`)
  await button(page, 'Continue').click()
  await expectFocusOn(page, 'Let “laptop” sign in as you?')
  await expect(page.getByText('on another network')).toHaveCount(0)
  await button(page, 'Approve').click()
  expect(await login.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Signed in as Mallard'),
  })
  expect(await terminal.json(['whoami'])).toMatchObject({ duckling_id: person.id })
})

test('beak dev starts a service with sample data, and ends at Ctrl+C', async () => {
  // Makes the sample data in a process of its own.
  test.slow()
  const port = await freePort()
  const url = `http://localhost:${port}`
  const dev = aTerminal().start(['dev', '--port', String(port)])
  await dev.until(/Beak is running at http:\/\/localhost:\d+\/\?outbox=/)
  const { items } = await aTerminal({ BEAK_URL: url }).json(['api', 'listDucklings'])
  expect(items.map((item: { display_name: string }) => item.display_name)).toContain('Mallard')
  dev.child.kill('SIGINT')
  expect((await dev.ended).code).toBe(0)
  expect(() => execFileSync('curl', ['-s', url])).toThrow()
})
