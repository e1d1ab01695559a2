/** A friend opens a link to ask somebody where not everybody may sign up: what the page says to strangers, and who gets through. */
import type { Page } from '@playwright/test'
import { runOperator } from '@/lib/fixtures/operator'
import { button, expectText, open, sidewaysOf, violationsOf } from './browser'
import { expect, test } from './fixtures'
import { codeAfter, codeIn, outboxOf } from './outbox'
import { anAddress, aPerson } from './people'
import { type RunningServer, send, startServer } from './server'

const own = { SIGNUP: 'domains:pond.example' }

/** Starts a service with a policy on which Nadia and Ben have accounts, and returns the path of a link of Nadia's. */
async function startWith(policy: string) {
  const before = await startServer({ env: own })
  const [nadia, ben] = [await aPerson(before, 'Nadia'), await aPerson(before, 'Benjamin')]
  const { body } = await send(before, 'POST /beak/invitation/create', { token: nadia.token, body: {} })
  if (policy !== own.SIGNUP) await before.stop()
  const { dataDir, port } = before
  const server =
    policy === own.SIGNUP ? before : await startServer({ env: { SIGNUP: policy }, dataDir, port })
  const sent = async () =>
    (await send(server, 'GET /beak/peck/inbox', { token: nadia.token })).body.items.length
  return { server, path: new URL(body.url).pathname, ben, sent }
}

/** Types a question, and reads twice who can sign up. */
async function type(page: Page, path: string, notice: string): Promise<void> {
  await open(page, path)
  await expectText(page, notice)
  await page.getByLabel('What do you want to ask?').fill('borrow your car')
  await button(page, 'Continue').click()
  await expectText(page, 'Nadia will see this:')
  // The same words where the person says who they are.
  await expectText(page, notice)
  expect(await violationsOf(page)).toEqual([])
  expect(await sidewaysOf(page)).toBe(0)
}

const email = (page: Page) => page.getByLabel('Your email')
const code = (page: Page) => page.getByLabel('Six-digit code')

async function signUp(server: RunningServer, page: Page, address: string): Promise<void> {
  await page.getByLabel('Your name').fill('Mia')
  await email(page).fill(address)
  await button(page, 'Send code').click()
  await code(page).fill(await codeIn(server, address))
  await expectText(page, 'Sent. Nadia reads it and answers.')
}

const phone = { viewport: { width: 320, height: 640 } }

test('says which addresses can sign up, and takes one of them', async ({ newPage }) => {
  const { server, path, sent } = await startWith(own.SIGNUP)
  const page = await newPage({ ...phone, baseURL: server.url })
  await type(page, path, 'No account yet? You need an email address of pond.example, or a sign-up pass.')
  await page.getByLabel('Your name').fill('Mia')
  await email(page).fill('mia@sea.example')
  await button(page, 'Send code').click()
  await expect(page.locator('form').getByRole('alert')).toContainText('cannot sign up here')
  await expect(code(page)).toHaveCount(0)
  await signUp(server, page, anAddress('mia'))
  expect(await sent()).toBe(1)
  await page.close()
  await server.stop()
})

test('says that a stranger needs a pass, and takes a pass', async ({ newPage }) => {
  const { server, path, ben, sent } = await startWith('pass')
  const page = await newPage({ ...phone, baseURL: server.url })
  await type(page, path, 'No account yet? You need a sign-up pass. Ask whoever runs this service for one.')
  // Without a pass, an unknown address gets no code, and the page does not tell it from one with an account.
  const stranger = anAddress('mia')
  await email(page).fill(stranger)
  await button(page, 'Send code').click()
  await expectText(page, `If ${stranger} has an account here, we sent a code to it.`)
  await expectText(page, 'Without an account, ask whoever runs this service for one.')
  expect(outboxOf(server).filter(({ to }) => to === stranger)).toEqual([])

  const { output } = await runOperator({ DATA_DIR: server.dataDir }, 'pass', stranger)
  const pass = new URL(output.split('\n')[0] ?? '').searchParams.get('pass') ?? ''
  await page.getByRole('link', { name: 'Wrong email?' }).click()
  await page.getByLabel(/Sign-up pass/).fill(pass)
  await signUp(server, page, stranger)
  expect(await sent()).toBe(1)

  const other = await newPage({ ...phone, baseURL: server.url })
  await type(other, path, 'No account yet?')
  await email(other).fill(ben.email)
  const otp = await codeAfter(server, ben.email, () => button(other, 'Send code').click())
  await code(other).fill(otp)
  await expectText(other, 'Your email is confirmed.')
  for (const open of [page, other]) await open.close()
  await server.stop()
})

test('says that nobody can sign up, and lets somebody with an account ask', async ({ newPage }) => {
  const { server, path, ben, sent } = await startWith('closed')
  const page = await newPage({ ...phone, baseURL: server.url })
  await type(page, path, 'Nobody can sign up here, so only people who have an account can ask.')
  await expectText(page, 'or reach Nadia another way')
  await expect(page.getByLabel('Your name')).toHaveCount(0)
  await email(page).fill(ben.email)
  const otp = await codeAfter(server, ben.email, () => button(page, 'Send code').click())
  await code(page).fill(otp)
  await expectText(page, 'Benjamin asks you a favour')
  await button(page, 'Send').click()
  await expectText(page, 'Sent. Nadia reads it and answers.')
  expect(await sent()).toBe(1)
  await page.close()
  await server.stop()
})
