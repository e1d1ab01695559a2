/** The command line against the built service: signing in with a browser. */
import { aTerminal } from '@/packages/client/test/beak-process'
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
