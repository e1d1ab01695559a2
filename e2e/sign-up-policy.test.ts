/** Signing up where the operator decides who may (SIGNUP=pass): the pages, the pass, and an account that only confirms its email. */
import { runOperator } from '@/lib/fixtures/operator'
import { expectText, heading, open, sidewaysOf, violationsOf } from './browser'
import { signIn } from './controls/sign-in'
import { test as base, expect } from './fixtures'
import { codeAfter } from './outbox'
import { startServer } from './server'

const test = base.extend<object, object>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer({ env: { SIGNUP: 'pass' } })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

const email = 'gadwall@pond.example'

test('leads from the link of a pass to the code, and nowhere else before', async ({ page, server }) => {
  await open(page, '/signup')
  await expectText(page, 'You need a sign-up pass from whoever runs this service.')
  await signIn.name(page).fill('Gadwall')
  await signIn.email(page).fill(email)
  await signIn.signUp(page).click()
  await expectText(page, 'You need a sign-up pass for this address that is not used or expired.')

  const { code, output } = await runOperator(
    { DATA_DIR: server.dataDir },
    'pass',
    email,
    '--name',
    'Anna Weber',
  )
  expect(code).toBe(0)
  const link = new URL(output.split('\n')[0] ?? '')
  await open(page, `${link.pathname}${link.search}`)
  await expect(signIn.email(page)).toHaveValue(email)
  await expect(signIn.name(page)).toHaveValue('Anna Weber')
  expect(await violationsOf(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await sidewaysOf(page)).toBe(0)
  const mailed = await codeAfter(server, email, () => signIn.signUp(page).click())
  await expect(heading(page, 'Confirm your email')).toBeVisible()

  await open(page, '/agents/new/key')
  await expect(heading(page, 'Confirm your email')).toBeVisible()
  await expect(page).toHaveURL(/\/welcome\?next=/)
  await signIn.code(page).fill(mailed)
  await expect(heading(page, /^Hello, /)).toBeVisible()
  await open(page, '/agents/new/key')
  await expect(page).toHaveURL(/\/agents\/new\/key$/)
})

test('says on the way from a program that nobody can sign up', async () => {
  const server = await startServer({ env: { SIGNUP: 'closed' } })
  const path = '/connect/allow/nobody-waits-here'
  const { status, headers } = await fetch(`${server.url}${path}`, { redirect: 'manual' })
  const target = headers.get('location') ?? ''
  expect([status, target]).toEqual([307, `/signin?next=${encodeURIComponent(path)}`])
  const page = await (await fetch(`${server.url}${target}`)).text()
  expect(page).toContain('Nobody can sign up here.')
  expect(page).not.toContain('href="/signup')
  await server.stop()
})
