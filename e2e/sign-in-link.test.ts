/** What people see of the host's commands: links that sign in once, and an account that is suspended. */
import { runOperator } from '@/lib/fixtures/operator'
import { button, expectText, heading } from './browser'
import { askForCode, signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeAfter } from './outbox'
import { anAddress } from './people'

async function linkOf(dataDir: string, form: 'create' | 'recover', who: string): Promise<string> {
  const { code, output } = await runOperator({ DATA_DIR: dataDir }, 'account', form, who)
  expect({ code, output }).toMatchObject({ code: 0 })
  const { pathname, search } = new URL(output.split('\n')[0] ?? '')
  return pathname + search
}

test('signs in without JavaScript, and neither a preview nor opening the page uses it', async ({
  newPage,
  complaints,
  server,
}) => {
  complaints.expect(/status of 404/)
  const email = anAddress('goosander')
  const path = await linkOf(server.dataDir, 'create', email)
  for (const method of ['HEAD', 'GET'])
    expect((await fetch(`${server.url}${path}`, { method })).status).toBe(200)

  const page = await newPage({ javaScriptEnabled: false })
  await page.goto(`${server.url}${path}`)
  await expect(heading(page, 'Sign in with your link')).toBeVisible()
  await codeAfter(server, email, () => button(page, 'Sign in').click())
  await page.waitForURL('**/welcome')
  await expectText(page, email)

  await page.goto(`${server.url}${path}`)
  await button(page, 'Sign in').click()
  await expect(heading(page, 'This link has expired or was used.')).toBeVisible()
  expect(page.url()).not.toContain('token')
})

test('of an account that existed before waits, and the owner stops it on any page', async ({
  newPage,
  ownPage,
  person,
  server,
}) => {
  const path = await linkOf(server.dataDir, 'recover', person.email)
  const page = await newPage()
  await page.goto(`${server.url}${path}`)
  await button(page, 'Sign in').click()
  await expect(heading(page, 'This link does not work yet.')).toBeVisible()

  await ownPage.goto('/home')
  await expectText(ownPage, /The host made a link that signs in to your account from/)
  await button(ownPage, 'Cancel the removal').click()
  await expectText(ownPage, 'Your passkeys stay')
})

test('tells a suspended person why the right code does not sign in', async ({
  page,
  person,
  complaints,
  server,
}) => {
  complaints.expect(/status of 403/)
  const { code } = await runOperator({ DATA_DIR: server.dataDir }, 'account', 'suspend', person.email)
  expect(code).toBe(0)
  const otp = await codeAfter(server, person.email, () => askForCode(page, person.email))
  await signIn.code(page).fill(otp)
  await expectText(page, 'The host of this service has suspended this account.')
})
