/** People at their own pages: profile, security, certificate, account. Everything by hand, in a browser. */
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '@/lib/proofs/audit/verify'
import { aPerson, type Person, patient, signInAs, startBrowser, withAuthenticator } from './browser'
import { codeIn, type RunningServer, send, startServer } from './server'

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'error' } })
  browser = await startBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

/** Somebody's browser, at one of their pages. */
async function at(path: string, person: Pick<Person, 'token'>): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce' })
  await signInAs(context, server, person)
  const page = await context.newPage()
  await page.goto(server.url + path)
  return page
}

/** Signs in once more with a code, as another browser would. */
async function anotherSession(person: Person): Promise<Pick<Person, 'token'>> {
  const { body } = await send(server, 'POST /beak/signin', {
    body: { email: person.email, otp: await codeIn(server, person.email) },
  })
  return { token: body.token }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const profileOf = async ({ token }: Pick<Person, 'token'>) =>
  (await send(server, 'GET /beak/profile', { token })).body

describe('the profile', patient, () => {
  it('changes the name once, says from when again, and refuses a second change beside the field', async () => {
    const person = await aPerson(server, 'Mallard')
    const [first, second] = [await at('/profile', person), await at('/profile', person)]
    await first.getByRole('textbox', { name: 'Display name' }).fill('Pintail')
    await button(first, 'Change my name').click()
    await says(first, 'From now on you are Pintail.')
    await says(first, /You can take another name from/)
    await first.getByRole('banner').getByText('Pintail').waitFor()

    await second.getByRole('textbox', { name: 'Display name' }).fill('Gadwall')
    await button(second, 'Change my name').click()
    const field = second.getByRole('textbox', { name: 'Display name' })
    await second.locator('input[name=new_display_name][aria-invalid=true]').waitFor()
    const described = (await field.getAttribute('aria-describedby'))?.split(' ').at(-1)
    expect(await second.locator(`[id="${described}"]`).textContent()).toMatch(
      /^You can take another name from \d+ \w+ \d{4} on\.$/,
    )
    expect(await field.inputValue()).toBe('Gadwall')
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect((await profileOf(person)).display_name).toBe('Pintail')
  })

  it('keeps what others see, and asks for a passkey only from who has one', async () => {
    const person = await aPerson(server, 'Wigeon')
    const page = await at('/profile', person)
    await page.getByLabel(/In your words/).fill('Keeps the south bank.')
    await page.getByLabel('Show me in the directory').uncheck()
    await button(page, 'Save').first().click()
    await says(page, 'Saved.')
    expect(await profileOf(person)).toMatchObject({ bio: 'Keeps the south bank.', directory_visible: false })

    await page.getByLabel('Approve pecks with my passkey only').check()
    await button(page, 'Save').last().click()
    await says(page, 'Add a passkey first.')
    expect(await profileOf(person)).toMatchObject({ require_passkey_for_pecks: false })
  })

  it('moves to another address once the code sent there is entered', async () => {
    const person = await aPerson(server, 'Teal')
    const page = await at('/profile', person)
    await page.getByLabel('New address').fill('teal@lake.example')
    await button(page, 'Send the code').click()
    await page.getByLabel('Six-digit code').fill('000000')
    await button(page, 'Change my address').click()
    await says(page, 'The code is not right or has expired.')
    await page.getByLabel('Six-digit code').fill(await codeIn(server, 'teal@lake.example'))
    await button(page, 'Change my address').click()
    await says(page, 'Your address is teal@lake.example now.')
    expect((await profileOf(person)).email).toBe('teal@lake.example')
  })
})

describe('security', patient, () => {
  it('leads from T0 to T3: by the code in the mail, by the code on the phone, by passkey', async () => {
    const person = await aPerson(server, 'Newcomer', { verified: false })
    const page = await at('/certificate', person)
    await page.getByRole('link', { name: 'Confirm my e-mail' }).click()
    await page.getByLabel('Six-digit code').fill(await codeIn(server, person.email))
    await button(page, 'Confirm my e-mail').click()
    await says(page, 'You stand at T1.')

    await page.getByLabel('Phone number').fill('+1 (415) 555-0199')
    await button(page, 'Send the code').click()
    await page.getByLabel('Six-digit code').fill(await codeIn(server, '+14155550199'))
    await button(page, 'Confirm my phone').click()
    await says(page, 'Your phone is confirmed. You stand at T2.')

    await withAuthenticator(page)
    await page.getByLabel(/Name of the passkey/).fill('Blue key')
    await button(page, 'Add a passkey').click()
    await says(page, 'Blue key is ready')
    await button(page, 'Rise to T3 with my passkey').click()
    await says(page, 'Your passkey has confirmed you. You stand at T3.')
    expect((await profileOf(person)).trust_tier).toBe('T3')

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await button(page, 'Remove it').click()
    const told = page.getByText('Blue key is removed.')
    await told.waitFor()
    // The dialog and the item are gone: the focus is where the answer stands.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Blue key is removed.')
    expect((await send(server, 'GET /beak/passkey/list', { token: person.token })).body.items).toEqual([])
  })

  it('ends a session that is then out at its next click', async () => {
    const person = await aPerson(server, 'Shoveler')
    const other = await anotherSession(person)
    const theirs = await at('/profile', other)
    const page = await at('/security', person)
    await button(page, /^End it/).click()
    await says(page, 'One session is ended.')
    await theirs.getByRole('link', { name: 'Security' }).click()
    await theirs.waitForURL(/\/signin\?next=/)
    await page.reload()
    await says(page, 'This one')
  })
})

describe('the certificate', patient, () => {
  it('is issued, printed alone on its sheet, downloaded, and revoked with a reason that stays here', async () => {
    const person = await aPerson(server, 'Garganey')
    const page = await at('/certificate', person)
    await button(page, 'Issue my certificate').click()
    const document = page.getByRole('article', { name: 'Birth certificate of Garganey' })
    await document.waitFor()

    await page.emulateMedia({ media: 'print' })
    expect(await document.isVisible()).toBe(true)
    for (const role of ['navigation', 'button', 'link'] as const)
      expect(await page.getByRole(role).filter({ visible: true }).count(), role).toBe(0)
    await page.emulateMedia({ media: 'screen' })

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the credential' }).click()
    const { body: view } = await send(server, 'GET /beak/cert/view', { token: person.token })
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(view.credential)

    await button(page, 'Revoke this certificate').click()
    await button(page, 'Revoke for good').click()
    await page.locator('input[name=reason][aria-invalid=true]').waitFor()
    await page.getByLabel('Reason').fill('Lost my phone')
    await button(page, 'Revoke for good').click()
    await says(page, 'Your certificate is revoked.')
    await document.getByText('Revoked').first().waitFor()
    await says(page, 'Lost my phone')
    const { body: check } = await send(server, `GET /beak/cert/verify?cert_id=${view.cert_id}`)
    expect([check.valid, JSON.stringify(check).includes('Lost my phone')]).toEqual([false, false])

    await button(page, 'Issue a new certificate').click()
    await page.getByRole('heading', { name: 'Earlier ones' }).waitFor()
    await page.getByRole('link', { name: view.cert_id }).waitFor()
  })
})

describe('the account', patient, () => {
  it('is downloaded as a document whose log the command line accepts', async () => {
    const person = await aPerson(server, 'Smew')
    const page = await at('/account', person)
    const download = page.waitForEvent('download')
    await button(page, 'Download my data').click()
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    expect(exported.profile.duckling_id).toBe(person.id)
    expect((await verifyAudit(exported)).faults).toEqual([])
  })

  it('is closed by whoever types its name, and says before and after what goes with it', async () => {
    const person = await aPerson(server, 'Goosander')
    await send(server, 'POST /beak/cert/issue', { token: person.token })
    await send(server, 'POST /beak/agent/register', {
      token: person.token,
      body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:profile'] },
    })
    const page = await at('/account', person)
    const listed = () => page.locator('li').filter({ hasText: /^\d+/ }).allInnerTexts()
    const before = await listed()
    expect(before.join('\n')).toMatch(/birth certificate revoked[\s\S]*agent deregistered[\s\S]*session/)

    await button(page, 'Close my account').click()
    await page.getByLabel('Your display name').fill('goosander')
    await button(page, 'Close it for good').click()
    await says(page, 'Type Goosander, exactly as it is written.')
    await page.getByLabel('Your display name').fill('Goosander')
    await button(page, 'Close it for good').click()
    await page.waitForURL(/\/goodbye\?/)
    await page.getByRole('heading', { name: 'Goodbye, and safe flight' }).waitFor()
    expect(await listed()).toEqual(before)
    expect((await send(server, 'GET /beak/profile', { token: person.token })).status).toBe(401)
  })
})
