/** The page of one request: what it shows, and how a person answers it. */
import type { Locator, Page } from '@playwright/test'
import { addPasskey, expectAccessible, expectFocusOn, expectText, open, withAuthenticator } from './browser'
import { inbox } from './controls/inbox'
import { signInWithPasskey } from './controls/sign-in'
import { expect, test } from './fixtures'
import { anAgent, anotherSession, block, bond } from './people'
import { send } from './server'

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }
/** Not high: the agent is new, and nothing else is medium. */
const harmless = 'read:calendar'
const main = (page: Page) => page.getByRole('main')

/** Returns whether an element is in the window, without scrolling. */
const isInWindow = (element: Locator) =>
  element.evaluate((node) => {
    const { top, bottom, height } = node.getBoundingClientRect()
    return height >= 24 && top >= 0 && bottom <= window.innerHeight
  })

test.describe('on a phone', () => {
  test('a signed-in person answers with one tap, without scrolling', { tag: '@changed' }, async ({
    newPage,
    person,
    ask,
    seenBy,
  }) => {
    const long = {
      text: 'Bread. '.repeat(400),
      to: 'pond@example.com',
      amount: { amount: 4800, currency: 'EUR' },
    }
    const [rejected, approved] = [await ask('send:mail', long), await ask(harmless)]
    const page = await newPage({ ...phone, as: person })
    await open(page, `/pecks/${rejected}`)
    const reject = inbox.rejectNow(main(page))
    expect(await isInWindow(reject)).toBe(true)
    // The list of values begins below the window, behind the long text or the bar.
    const repeated = main(page).locator('[data-bar-values]')
    await expect(repeated).toHaveText('€4,800.00 to pond@example.com')
    expect(await isInWindow(repeated)).toBe(true)
    await reject.tap()
    await expectFocusOn(page, 'Rejected.')
    expect(await isInWindow(inbox.undo(main(page)))).toBe(true)

    await open(page, `/pecks/${approved}`)
    expect(await isInWindow(inbox.approve(main(page)))).toBe(true)
    await inbox.approve(main(page)).tap()
    await expectFocusOn(page, 'Approved.')
    expect(await seenBy(approved)).toMatchObject({ status: 'approved' })
  })

  test('who asks for what and how much is in the first screen, below what changed in the account', async ({
    newPage,
    person,
    server,
    ask,
  }) => {
    const thief = await anotherSession(server, person)
    await anAgent(server, thief, { agent_name: 'W'.repeat(40) })
    await send(server, 'POST /beak/profile/update', { token: thief.token, body: { min_peck_tier: 'T1' } })
    const peckId = await ask('transfer:money', {
      amount: { amount: 4800, currency: 'EUR' },
      iban: 'DE89370400440532013000',
    })
    const page = await newPage({ ...phone, as: person })
    await open(page, `/pecks/${peckId}`)
    const band = page.getByRole('region', { name: 'Changes of your account' })
    expect(await isInWindow(band)).toBe(true)
    expect((await band.boundingBox())?.height).toBeLessThanOrEqual(52)
    expect(await isInWindow(band.getByRole('link'))).toBe(true)
    const bar = main(page).locator('[data-decision-bar]')
    const heading = await main(page).getByRole('heading', { level: 1 }).boundingBox()
    expect(heading?.y).toBeLessThan((await bar.boundingBox())?.y ?? 0)
    await expect(bar.locator('[data-bar-risk]')).toContainText('“Scout”, an agent of Teal')
    await expect(bar.locator('[data-bar-values]')).toHaveText('€4,800.00 to DE89 3704 0044 0532 0130 00')
    for (const part of [
      bar.locator('[data-bar-risk]'),
      bar.locator('[data-bar-values]'),
      inbox.holdToApprove(bar),
    ])
      expect(await isInWindow(part)).toBe(true)
  })

  test('two taps lead from a mail to a signed approval, with a passkey and no session', async ({
    newPage,
    person,
    server,
    ask,
    seenBy,
  }) => {
    const peckId = await ask('transfer:money', { amount: { amount: 4800, currency: 'EUR' } })
    const page = await newPage(phone)
    await addPasskey(server, person, await withAuthenticator(page))
    const opened = performance.now()
    await open(page, `/pecks/${peckId}`)
    await signInWithPasskey(page)
    await page.waitForURL(`**/pecks/${peckId}`)
    const approve = main(page).getByRole('button', { name: 'Transfer money: €4,800.00 with passkey' })
    await approve.waitFor()
    expect(await isInWindow(approve)).toBe(true)
    await expect(inbox.holdToApprove(main(page))).toHaveCount(0)
    await expect(inbox.approveWithoutPasskey(main(page))).toHaveCount(0)
    await approve.tap()
    await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
    const seconds = ((performance.now() - opened) / 1000).toFixed(1)
    test.info().annotations.push({ type: 'from the link to the answer', description: `2 taps, ${seconds} s` })
    expect(await seenBy(peckId)).toMatchObject({ status: 'approved' })
  })
})

test.describe('a high risk', () => {
  const danger = { environment: 'production', cascade: true }

  test('is approved by holding the button for a second, not by a click', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
  }) => {
    const peckId = await ask('delete:database', danger)
    await open(page, `/pecks/${peckId}`)
    await expectText(page, 'High risk')
    await expectText(page, '“cascade” skips the usual safety check.')
    const hold = inbox.holdToApprove(main(page))
    await hold.click()
    await expectText(page, 'Not approved. Hold the button for one second.')
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
    await hold.hover()
    await page.mouse.down()
    await expectFocusOn(page, 'Approved.')
    await page.mouse.up()
    expect(await seenBy(peckId)).toMatchObject({ status: 'approved' })
  })

  test('is approved by holding Enter or Space, and a short press does nothing', async ({
    ownPage: page,
    ask,
    seenBy,
  }) => {
    for (const [key, table] of [
      ['Enter', 'users'],
      ['Space', 'orders'],
    ] as const) {
      const peckId = await ask('delete:database', { ...danger, table })
      await open(page, `/pecks/${peckId}`)
      await inbox.holdToApprove(main(page)).focus()
      await page.keyboard.press(key)
      await expectText(page, 'Not approved. Hold the button for one second.')
      expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
      await page.keyboard.down(key)
      await expectFocusOn(page, 'Approved.')
      await page.keyboard.up(key)
      expect(await seenBy(peckId)).toMatchObject({ status: 'approved' })
    }
  })

  test('is approved in two steps by people who cannot hold a button', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
  }) => {
    const peckId = await ask('delete:database', danger)
    await open(page, `/pecks/${peckId}`)
    // A screen reader presses the button without pointer and keys.
    await inbox.holdToApprove(main(page)).evaluate((button: HTMLElement) => button.click())
    await expectFocusOn(page, 'Yes, delete a database')
    await expectAccessible(page)
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
    await page.keyboard.press('Enter')
    await expectFocusOn(page, 'Approved.')
    expect(await seenBy(peckId)).toMatchObject({ status: 'approved' })
  })

  test('looks unlike every other request, and its mark stays beside the buttons', async ({
    newPage,
    person,
    ask,
  }) => {
    const calm = await ask(harmless)
    const peckId = await ask('delete:database', { ...danger, name: 'customers-production' })
    const page = await newPage({ viewport: { width: 390, height: 844 }, as: person })
    await open(page, `/pecks/${calm}`)
    await expect(page.locator('[data-danger], [data-bar-risk]')).toHaveCount(0)
    const accent = await inbox
      .approve(main(page))
      .evaluate((button) => getComputedStyle(button).backgroundColor)

    await open(page, `/pecks/${peckId}`)
    const [band, mark] = [page.locator('[data-danger]'), page.locator('[data-bar-risk]')]
    await expect(band).toHaveText("High riskDeleting can't be undone.")
    const approve = inbox.holdToApprove(main(page))
    await expect(approve).toHaveText('Hold to delete the database “customers-production”')
    expect(await approve.evaluate((button) => getComputedStyle(button).backgroundColor)).not.toBe(accent)
    const boxOf = async (element: Locator) => (await element.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    expect((await boxOf(band)).width).toBeGreaterThan(340)
    // On a phone the safe answer is nearer to the thumb, and it comes first for the keyboard.
    expect((await boxOf(inbox.rejectNow(main(page)))).y).toBeGreaterThan((await boxOf(approve)).y)
    const isFirst = await approve.evaluate((button) =>
      [...document.querySelectorAll('[data-decision-bar] button')].indexOf(button),
    )
    expect(isFirst).toBeGreaterThan(0)
    await expect(mark).toBeInViewport({ ratio: 1 })
    // A band above the request, or a low window, may push the name of the asker out of view.
    await expect(mark).toContainText(/“Scout”, an agent of Teal \(….{4}\)/)
    await expectAccessible(page)

    const position = () =>
      page.locator('[data-decision-bar]').evaluate((bar) => getComputedStyle(bar).position)
    expect(await position()).toBe('sticky')
    // Held sideways, and 1280 × 800 at 200 % zoom: the bar covers nothing.
    for (const viewport of [
      { width: 844, height: 390 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(viewport)
      await page.evaluate(() => window.scrollTo(0, 0))
      expect(await position()).toBe('relative')
      await expect(band).toBeInViewport({ ratio: 1 })
      await approve.scrollIntoViewIfNeeded()
      await expect(mark).toBeInViewport({ ratio: 1 })
    }
  })

  test('has a bar that covers nothing with the focus of the keyboard', async ({ newPage, person, ask }) => {
    const peckId = await ask('delete:database', { ...danger, text: 'All of it. '.repeat(60) })
    const page = await newPage({ as: person })
    // A phone, and 1280 × 1040 at 200 % zoom: in both, the bar sticks to the end of the window.
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 640, height: 520 },
    ]) {
      await page.setViewportSize(viewport)
      await open(page, `/pecks/${peckId}`)
      await main(page).getByRole('link').first().focus()
      const [covered, reached]: [string[], string[]] = [[], []]
      for (let step = 0; step < 30; step += 1) {
        const stop = await page.evaluate(() => {
          const [focused, bar] = [document.activeElement, document.querySelector('[data-decision-bar]')]
          if (!focused?.closest('main') || !bar || bar.contains(focused)) return null
          const [box, over] = [focused.getBoundingClientRect(), bar.getBoundingClientRect()]
          const isCovered = box.bottom > over.top + 1 && box.top < over.bottom - 1
          return { name: focused.textContent?.slice(0, 40) ?? '', isCovered }
        })
        if (stop !== null) (stop.isCovered ? covered : reached).push(stop.name)
        await page.keyboard.press('Tab')
      }
      expect({ viewport, covered }).toEqual({ viewport, covered: [] })
      expect(reached.join()).toContain('The exact words')
    }
  })

  test('with an unclear amount is rejected with what to fix', async ({
    ownPage: page,
    ask,
    seenBy,
    asker,
    person,
    server,
  }) => {
    const peckId = await ask('pay:invoice', { amount: '4.800 €' })
    await open(page, `/pecks/${peckId}`)
    await expectText(page, 'This can mean €4,800.00 or €4.80. Ask the agent to write it clearly.')
    await page.getByRole('button', { name: 'Reject: unclear amount' }).click()
    await expectFocusOn(page, 'Rejected.')
    const decided = {
      status: 'rejected',
      unclear: true,
      reason: expect.stringContaining('Unclear amount. Write it with a point before the cents'),
    }
    // The agent learns of the rejection once it can no longer be undone.
    await block(server, person, asker)
    expect(await seenBy(peckId)).toMatchObject(decided)
  })

  test('does not approve with a double click on the first step', async ({ ownPage: page, ask, seenBy }) => {
    const peckId = await ask('delete:database', danger)
    await open(page, `/pecks/${peckId}`)
    await inbox.approveInTwoSteps(main(page)).dblclick()
    await expect(inbox.rejectNow(main(page))).toBeVisible()
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
  })
})

test('a low risk is approved without the passkey, which can still sign it', async ({
  ownPage: page,
  server,
  person,
  passkeys,
  ask,
  seenBy,
}) => {
  const { token } = person
  const body = { peck_id: await ask('read:weather') }
  expect((await send(server, 'POST /beak/peck/approve', { token, body })).status).toBe(200)
  await addPasskey(server, person, passkeys)
  const [plain, signed] = [await ask('read:weather', { day: 1 }), await ask('read:weather', { day: 2 })]
  await open(page, `/pecks/${plain}`)
  await expect(page.locator('[data-risk]')).toHaveText('Low risk')
  await inbox.approve(main(page)).click()
  await expectFocusOn(page, 'Approved.')
  expect(await seenBy(plain)).toMatchObject({ status: 'approved' })
  await open(page, `/pecks/${signed}`)
  await expectAccessible(page)
  await inbox.approveWithPasskey(main(page)).click()
  await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
})

test('without scripts, a person rejects and undoes it, approves, and approves a high risk in a second step', async ({
  newPage,
  person,
  ask,
  seenBy,
}) => {
  const [low, high, unwanted] = [
    await ask(harmless),
    await ask('delete:database', { cascade: true }),
    await ask('read:diary'),
  ]
  const page = await newPage({ javaScriptEnabled: false, as: person })
  await page.goto(`/pecks/${low}`)
  await inbox.approve(main(page)).click()
  await expectText(page, 'You approved this request.')
  expect(await seenBy(low)).toMatchObject({ status: 'approved' })

  await page.goto(`/pecks/${unwanted}`)
  await inbox.rejectNow(main(page)).click()
  await expectText(page, 'Rejected.')
  expect(await seenBy(unwanted)).toMatchObject({ status: 'pending' })
  await inbox.undo(main(page)).click()
  await expect(inbox.approve(main(page))).toBeVisible()

  await page.goto(`/pecks/${high}`)
  await expect(inbox.holdToApprove(main(page))).toBeHidden()
  await inbox.approveInTwoSteps(main(page)).click()
  await inbox.secondStep(main(page)).click()
  await expectText(page, 'You approved this request.')
  expect(await seenBy(high)).toMatchObject({ status: 'approved' })
})

test.describe('undo', () => {
  test('revokes an approval within ten seconds and says that it was not used', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
  }) => {
    const peckId = await ask(harmless)
    await open(page, `/pecks/${peckId}`)
    await inbox.approve(main(page)).click()
    await expectFocusOn(page, 'Approved. You can undo this for 10 seconds.')
    await expectAccessible(page)
    // The button is the next stop of the keyboard.
    await page.keyboard.press('Tab')
    await expectFocusOn(page, 'Undo')
    await page.keyboard.press('Enter')
    await expectFocusOn(page, 'Undone. The request waits for your answer again.')
    const undone = await seenBy(peckId)
    expect(undone).toMatchObject({ status: 'approved', grant_status: 'revoked' })
    await main(page).getByRole('link', { name: 'Open the request' }).click()
    await page.waitForURL(`**/pecks/${undone.superseded_by}`)
    await inbox.approve(main(page)).click()
    await expectFocusOn(page, 'Approved.')
  })

  test('says that the permission had been used', async ({ ownPage: page, ask, seenBy, server }) => {
    const peckId = await ask(harmless)
    await open(page, `/pecks/${peckId}`)
    await inbox.approve(main(page)).click()
    await expectFocusOn(page, 'Approved.')
    const { grant_token } = await seenBy(peckId)
    await send(server, 'POST /beak/peck/consume', { body: { grant_token, params: {} } })
    await inbox.undo(main(page)).click()
    await expectFocusOn(page, "The permission had already been used once. It can't be used again.")
  })

  test('goes after ten seconds, and leaves a link to the permission', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
  }) => {
    const peckId = await ask(harmless)
    await page.clock.install()
    await open(page, `/pecks/${peckId}`)
    await inbox.approve(main(page)).click()
    await inbox.undo(main(page)).focus()
    await page.clock.fastForward(11_000)
    await expect(inbox.undo(main(page))).toHaveCount(0)
    await expectFocusOn(page, 'Approved.')
    await expect(page.getByRole('link', { name: 'View permission' })).toBeVisible()
  })

  test('is also offered in the inbox, to which the person went on', async ({
    ownPage: page,
    ask,
    seenBy,
  }) => {
    const peckId = await ask(harmless)
    await open(page, `/pecks/${peckId}`)
    await inbox.approve(main(page)).click()
    await expectFocusOn(page, 'Approved.')
    await main(page).getByRole('link', { name: 'Inbox' }).click()
    await page.waitForURL('**/pecks')
    await inbox.undo(main(page)).click()
    await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
    expect(await seenBy(peckId)).toMatchObject({ grant_status: 'revoked', superseded_by: expect.any(String) })
  })
})

test.describe('the values', () => {
  test('show money, look-alikes, hidden characters and hosts as what they are', async ({
    ownPage: page,
    ask,
  }) => {
    const peckId = await ask('send:email', {
      to: 'аnna@exаmple.com',
      cc: 'bo\u200bb@example.org',
      price: { amount: 38, currency: 'EUR' },
      link: 'https://bank.example@evil.example/login',
      token: 'ghp_secret',
      text: 'x'.repeat(3692),
      change: { before: 'retries = 3', after: 'retries = 10' },
    })
    await open(page, `/pecks/${peckId}`)
    await expectText(page, '€38.00')
    await expect(page.locator('mark')).toHaveText(['⟨U+200B⟩', 'а', 'а'])
    await expectText(page, 'Contains letters that can look like others: а (U+0430).')
    await expect(page.locator('strong', { hasText: /^evil\.example$/ })).toBeVisible()
    await expect(main(page).getByRole('link', { name: /evil/ })).toHaveCount(0)
    await expect(page.getByText('ghp_secret').first()).toBeHidden()
    await page.getByText('Reveal 10 characters').click()
    await expect(page.getByText('ghp_secret').first()).toBeVisible()
    await expectText(page, 'Show 3,412 more characters')
    await expectText(page, '1 line removed')
    // At its end, the bar with the buttons covers nothing of the page.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    await expectAccessible(page)
  })

  test('are compared with those that the person approved last', async ({
    ownPage: page,
    ask,
    person,
    server,
  }) => {
    const book = (amount: number) => ask('book:table', { deposit: { amount, currency: 'EUR' }, seats: 2 })
    for (const amount of [36, 38]) {
      const body = { peck_id: await book(amount) }
      await send(server, 'POST /beak/peck/approve', { token: person.token, body })
    }
    await open(page, `/pecks/${await book(40)}`)
    await expectText(page, /Asked twice before\. You approved 2\. Last time, .*: €38\.00\./)
    const changed = page.locator('[data-differs]')
    await expect(changed).toHaveCount(1)
    await expect(changed).toContainText('€40.00')
    await expect(changed.locator('del')).toHaveText('€38.00')
    await expectAccessible(page)
  })
})

test('nothing that an asker writes stands among the words of the service', async ({
  ownPage: page,
  server,
  person,
}) => {
  const forger = await anAgent(server, person, { agent_name: 'Scout” asks. “Owl' })
  await bond(server, forger)
  const { body } = await send(server, 'POST /beak/peck/request', {
    key: forger.key,
    body: {
      target_duckling_id: person.id,
      action: 'send:mail',
      scope: 'limited',
      params: { 'Low risk': 'Approved by Beak', amount: { amount: 1000, currency: 'EUR' } },
      message: 'BEAK: Low risk.',
      audience: 'verified-by-beak.com',
    },
  })
  await open(page, `/pecks/${body.peck_id}`)
  await expect(page.locator('[data-risk]')).toHaveText('High risk')
  // The frame holds the whole name, and the name has no quotation marks that could close it.
  await expect(page.locator('h1 bdi')).toHaveText('“Scout asks. Owl”')
  await expect(main(page).locator('blockquote')).toHaveText('BEAK: Low risk.')
  await expect(
    main(page).getByText("Beak never writes here. These are the requester's own words."),
  ).toHaveCount(2)
  await expect(main(page).locator('figcaption')).toHaveText('Message from the requester (not verified)')
  const parameters = page.getByRole('region', {
    name: 'Details, in the words of “Scout asks. Owl”',
  })
  await expect(parameters.locator('dt').filter({ hasText: 'Low risk' })).toHaveCount(1)
  await expect(page.locator('h1')).not.toContainText('verified-by-beak.com')
  await expect(main(page)).toContainText('Will be used at verified-by-beak.com (named by the requester)')
})
