/** A page that a translator and an extension change: nothing breaks, what is typed stays, and names and values stay as they are. */
import type { Page } from '@playwright/test'
import { expectText, hydrated, open } from './browser'
import { inbox, openInbox } from './controls/inbox'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { changePages } from './foreign-changes'
import { send } from './server'

/** Stands before each text that was translated. */
const mark = '¿'
const main = (page: Page) => page.getByRole('main')
const approve = (page: Page) => main(page).getByRole('button', { name: `${mark}Approve`, exact: true })
const reject = (page: Page) => main(page).getByRole('button', { name: `${mark}Reject`, exact: true })

test.describe('with a translator', () => {
  test.beforeEach(async ({ context }) => changePages(context, { prefix: mark }))

  test('an approval and its undo are shown, in translated words', async ({
    ownPage: page,
    ask,
    statusOf,
  }) => {
    const peckId = await ask('read:calendar')
    await open(page, `/pecks/${peckId}`)
    await approve(page).click()
    await expectText(page, `${mark}Approved.`)
    await expect(main(page)).toContainText(`${mark}asked`)
    await expect(main(page)).not.toContainText('wants to')
    expect(await statusOf(peckId)).toBe('approved')
    await main(page).getByRole('button', { name: /Undo/ }).click()
    await expectText(page, `${mark}Undone. The request waits for your answer again.`)
  })

  test('a rejection can be undone on its page and in the inbox', async ({ ownPage: page, ask, statusOf }) => {
    const [first, second] = [await ask('read:calendar'), await ask('read:contacts')]
    await open(page, `/pecks/${first}`)
    await reject(page).click()
    await expectText(page, `${mark}Rejected.`)
    await main(page).getByRole('button', { name: /Undo/ }).click()
    await expect(reject(page)).toBeVisible()

    await openInbox(page)
    await expect(inbox.rows(page)).toHaveCount(2)
    await reject(page).click()
    await page.locator('[data-undo]').click()
    await expect(page.locator('[data-undo]')).toHaveCount(0)
    await expect(approve(page)).toBeVisible()
    expect([await statusOf(first), await statusOf(second)]).toEqual(['pending', 'pending'])
  })

  test('names, values, amounts and the signed statement stay as they are', async ({
    ownPage: page,
    server,
    scout,
    ask,
  }) => {
    const params = {
      table: 'customers',
      path: '/home/teal/Desktop',
      amount: { amount: 4800, currency: 'EUR' },
      when: '2027-01-08',
      iban: 'DE89370400440532013000',
      count: 170_317,
      to: 'pond@example.com',
    }
    const peckId = await ask('transfer:money', params)
    await open(page, `/pecks/${peckId}`)
    await expectText(page, `${mark}wants to`)
    await page.getByText(`${mark}The exact words`).click()
    const translated = (await page.locator('font[data-foreign]').allTextContents()).join('\n')
    const { body } = await send(server, `GET /beak/peck/status?peck_id=${peckId}`, { key: scout.key })
    for (const value of [
      'customers',
      '/home/teal/Desktop',
      '4,800',
      'DE89',
      'pond@',
      'Scout',
      '170,317',
      '170317',
      peckId,
      body.params_hash,
    ])
      expect([value, translated.includes(value)]).toEqual([value, false])
    await expect(main(page)).toContainText(body.summary)
  })
})

/**
 * Opens a page whose scripts do not arrive before the returned function is called. The page itself has arrived as a whole: programs that fill in and
 * extend pages wait for that, and React reports what another program adds to a page that still arrives.
 */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('form').first().waitFor()
  await page.waitForFunction(() => document.readyState !== 'loading')
  return release
}

const extensions = {
  'at the start of the page': () => document.body.prepend(document.createElement('div')),
  'beside each field': () => {
    for (const field of document.querySelectorAll('input:not([type=hidden])'))
      field.after(document.createElement('div'))
  },
}

for (const [place, extend] of Object.entries(extensions))
  test(`what is typed or filled in before the scripts run stays, with foreign elements ${place}`, async ({
    page,
  }) => {
    const release = await openWithoutScripts(page, '/signup')
    await page.evaluate(extend)
    // Password managers set the value, often without an event.
    await signIn.name(page).evaluate((field: HTMLInputElement) => {
      field.value = 'Mallard'
    })
    await signIn.email(page).pressSequentially('mallard@example.com')
    release()
    await hydrated(page)
    await expect(signIn.name(page)).toHaveValue('Mallard')
    await expect(signIn.email(page)).toHaveValue('mallard@example.com')
    await expect(signIn.email(page)).toBeFocused()
  })

test.describe('a page that breaks', () => {
  /** Breaks the next change of the buttons, as another program can. */
  const breakPage = (page: Page) =>
    page.evaluate(() => {
      const { removeChild } = Node.prototype
      Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
        const element = this instanceof Element ? this : this.parentElement
        if (!element?.closest('[data-decision-bar]')) return removeChild.call(this, child) as T
        Node.prototype.removeChild = removeChild
        throw new Error('broken by another program')
      }
    })

  test('says what was decided', async ({ ownPage: page, ask, complaints }) => {
    complaints.expect(/broken by another program/)
    for (const [name, title] of [
      ['Approve', 'The request was approved'],
      ['Reject', 'The request was rejected'],
    ] as const) {
      const peckId = await ask('read:calendar', { name })
      await open(page, `/pecks/${peckId}`)
      await breakPage(page)
      await main(page).getByRole('button', { name, exact: true }).click()
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      await page.getByRole('link', { name: 'Open the request' }).click()
      await expect(inbox.undo(main(page))).toBeVisible()
    }
  })
})
