/** Rules in a browser: from a waiting request to a signed rule, what it then answers, and the switch that pauses everything. */
import type { Page } from '@playwright/test'
import { addPasskey, button, expectFocusOn, expectText, heading, link, open, sidewaysOf } from './browser'
import { test as base, expect } from './fixtures'
import { type Agent, aBondedAgent } from './people'
import { send } from './server'

interface Asking {
  /** An agent of the person, who has a passkey. */
  own: Agent
  /** Sends a request of the agent to pay an invoice. Returns the answer. */
  pay: (
    amount: string,
    to?: string,
  ) => Promise<{ peck_id: string; status: string; grant_status: string | null }>
}

const shop = 'shop@example.com'

const test = base.extend<Asking>({
  own: async ({ server, person, ownPage: _, passkeys }, use) => {
    // With a passkey, registering an agent would need a confirmation.
    const agent = await aBondedAgent(server, person)
    await addPasskey(server, person, passkeys)
    await use(agent)
  },
  pay: async ({ server, person, own }, use) =>
    use(async (amount, to = shop) => {
      const { status, body } = await send(server, 'POST /beak/peck/request', {
        key: own.key,
        body: {
          target_duckling_id: person.id,
          action: 'pay:invoice',
          scope: 'limited',
          params: { amount, to },
        },
      })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    }),
})

/** Counts what the person taps. */
function countTaps() {
  let count = 0
  return {
    async tap(target: ReturnType<typeof button>) {
      count++
      await target.click()
    },
    count: () => count,
  }
}

const dontAskAgain = (page: Page) => page.getByRole('link', { name: "Don't ask again for this …" })
const sign = (page: Page) => button(page, 'Sign and approve this one')
const sentence = (page: Page) => page.locator('[data-rule-sentence]').first()

/** Signs the narrowest rule of a waiting request. */
async function signFrom(page: Page, peckId: string): Promise<void> {
  await open(page, `/rules/new?peck=${peckId}`)
  await sign(page).click()
  await expectText(page, 'The rule is signed, and the waiting request is approved.')
}

/** Fills the form of a new rule: at most €50.00 to the shop. */
async function fillShopRule(page: Page): Promise<void> {
  await open(page, '/rules/new')
  await page.getByLabel('Actions').fill('pay:invoice')
  await page.getByLabel('Name of detail 1').fill('amount')
  await page.getByLabel('Condition of detail 1').selectOption('at_most')
  await page.getByLabel('Value of detail 1').fill('€50.00')
  await page.getByLabel('Name of detail 2').fill('to')
  await page.getByLabel('Value of detail 2').fill(shop)
}

test('a waiting request becomes a signed rule in at most three taps, and the next one is answered without any', {
  tag: '@changed',
}, async ({ ownPage: page, pay }) => {
  const waiting = await pay('€38.00')
  expect(waiting.status).toBe('pending')
  const taps = countTaps()
  await open(page, '/pecks')
  await taps.tap(dontAskAgain(page))
  await expect(sentence(page)).toContainText('amount is "€38.00" and to is "shop@example.com"')
  await taps.tap(link(page, 'up to €50.00'))
  await expect(sentence(page)).toContainText('amount is at most €50.00')
  await taps.tap(sign(page))
  await expectText(page, 'The rule is signed, and the waiting request is approved.')
  expect(taps.count()).toBeLessThanOrEqual(3)
  expect(await pay('€12.00')).toMatchObject({ status: 'approved', grant_status: 'active' })
  // The budget has €50.00: what is over it waits.
  expect(await pay('€45.00')).toMatchObject({ status: 'pending' })
  expect(await pay('€5.00', 'other@example.com')).toMatchObject({ status: 'pending' })
})

test('the rehearsal shows what a rule would have answered, and why it leaves the others', async ({
  ownPage: page,
  pay,
}) => {
  await pay('€60.00')
  const { peck_id } = await pay('€38.00')
  await open(page, `/rules/new?peck=${peck_id}`)
  await expectText(page, 'In the last 30 days, this would have answered 1 of 2 requests')
  await expectText(page, 'Its “amount” is outside of the rule.')
  // The second tap comes before the page has followed the first.
  let release = () => {}
  const bothTapped = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/rules/new?**', async (route) => {
    await bothTapped
    await route.continue()
  })
  await link(page, 'up to €100.00').first().click()
  await link(page, '€200.00 each month').click()
  release()
  await expect(sentence(page)).toContainText('amount is at most €100.00')
  await expectText(page, 'this would have answered 2 of 2 requests')
  expect(await sidewaysOf(page)).toBe(0)
})

test('the feed of the inbox shows an answer, and undoes it while it is unused', { tag: '@changed' }, async ({
  ownPage: page,
  pay,
}) => {
  await signFrom(page, (await pay('€38.00')).peck_id)
  const { peck_id } = await pay('€38.00')
  await open(page, '/pecks')
  const feed = page.getByRole('list', { name: 'Answered for you' })
  await expect(feed.getByRole('listitem')).toHaveCount(1)
  await expect(feed).toContainText('€12.00 of €50.00 left this month')
  await feed.getByRole('button', { name: 'Undo' }).click()
  await expectFocusOn(page, /The permission was not used/)
  await expect(feed.locator(`[data-answer="${peck_id}"]`)).toContainText('Undone')
  await expect(feed).toContainText('€50.00 of €50.00 left this month')
})

test('a request over the budget says so, and its rule can be told to ask from now on', async ({
  ownPage: page,
  pay,
}) => {
  await signFrom(page, (await pay('€38.00')).peck_id)
  await pay('€38.00')
  const { peck_id, status } = await pay('€38.00')
  expect(status).toBe('pending')
  await open(page, `/pecks/${peck_id}`)
  await expectText(page, 'The budget of a rule is exceeded')
  await button(page, 'Pause this rule').click()
  await expect(page.getByText('The budget of a rule is exceeded')).toBeHidden()
  await open(page, '/rules')
  await expect(page.getByRole('list', { name: 'Your rules' })).toContainText('Paused')
})

test('one switch pauses all rules on every page, and resuming asks for the passkey', async ({
  ownPage: page,
  pay,
  passkeys,
}) => {
  await signFrom(page, (await pay('€10.00')).peck_id)
  await open(page, '/docs')
  const header = page.getByRole('banner')
  for (const width of [320, 390, 768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    // One line, with every tool in the window, once the browser has laid out the new width.
    await expect.poll(async () => (await header.boundingBox())?.height).toBeLessThan(80)
    await expect(button(page, 'Pause all rules')).toBeInViewport({ ratio: 1 })
    await expect(header.getByRole('button', { name: 'Sign out' })).toBeInViewport({ ratio: 1 })
    expect(await sidewaysOf(page)).toBe(0)
  }
  await button(page, 'Pause all rules').click()
  await expectText(page, 'All rules are paused.')
  expect(await pay('€10.00')).toMatchObject({ status: 'pending' })
  await link(page, 'Resume …').click()
  await expect(heading(page, 'Rules', 1)).toBeVisible()
  await passkeys.confirm(false)
  await button(page, 'Resume all rules').click()
  await expectText(page, 'The passkey prompt was closed')
  await passkeys.confirm(true)
  await button(page, 'Confirm with passkey').click()
  await expect(button(page, 'Pause all rules')).toBeVisible()
  expect(await pay('€10.00', 'nobody@example.com')).toMatchObject({ status: 'pending' })
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('pause all')
  await page.getByRole('option', { name: /Pause all rules/ }).click()
  await expectText(page, 'All rules are paused.')
})

test('a rule from scratch shows its sentence, and becomes narrower without the passkey', {
  tag: '@changed',
}, async ({ ownPage: page, pay, passkeys }) => {
  await pay('€20.00')
  await fillShopRule(page)
  await page.getByLabel('Amount').fill('€100.00')
  await page.getByLabel('In which time').selectOption('month')
  await expect(sentence(page)).toContainText('amount is at most €50.00 and to is "shop@example.com"')
  await expect(sentence(page)).toContainText('At most €100.00 each month')
  await button(page, 'Sign with passkey').click()
  await expectText(page, 'The rule is signed. It answers from the next request on.')
  await passkeys.confirm(false)
  await button(page, 'At most €50.00').click()
  await expectText(page, 'The rule was changed.')
  await expect(sentence(page)).toContainText('At most €50.00 each month')
  await link(page, 'Change rule').click()
  await page.getByLabel('Value of detail 1').fill('€80.00')
  await expect(button(page, 'Sign with passkey')).toBeVisible()
  await page.getByLabel('Value of detail 1').fill('€30.00')
  await button(page, 'Save').click()
  await expectText(page, 'The rule was changed.')
})

test('a rule that rejects is paused and ended only with the passkey', async ({
  ownPage: page,
  pay,
  passkeys,
}) => {
  await fillShopRule(page)
  await page.getByLabel('Answer').selectOption('reject')
  await button(page, 'Sign with passkey').click()
  await expectText(page, 'The rule is signed. It answers from the next request on.')
  expect(await pay('€20.00')).toMatchObject({ status: 'rejected' })
  await passkeys.confirm(false)
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expectText(page, 'The passkey prompt was closed')
  await passkeys.confirm(true)
  await button(page, 'Confirm with passkey').click()
  await expect(button(page, 'Resume with passkey')).toBeVisible()
  const rule = page.url()
  const { peck_id } = await pay('€20.00')
  await open(page, `/pecks/${peck_id}`)
  await expectText(page, 'Paused. Its requests wait for you until you resume or end it.')
  await open(page, rule)
  await button(page, 'End rule').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End rule' }).click()
  await expect(page.getByRole('term').filter({ hasText: 'Ended' })).toBeVisible()
})

test('no rule is offered where none could answer', async ({ ownPage: page, server, person, scout }) => {
  const body = { target_duckling_id: person.id, action: 'read:calendar', scope: 'limited' }
  const { peck_id } = (await send(server, 'POST /beak/peck/request', { key: scout.key, body })).body
  await open(page, `/pecks/${peck_id}`)
  await expect(button(page, 'Approve')).toBeVisible()
  await expect(dontAskAgain(page)).toBeHidden()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the chips and the switch work', async ({ ownPage: page, server, person }) => {
    const agent = await aBondedAgent(server, person)
    const { body } = await send(server, 'POST /beak/peck/request', {
      key: agent.key,
      body: {
        target_duckling_id: person.id,
        action: 'send:mail',
        scope: 'limited',
        params: { subject: 'Bread', to: shop },
      },
    })
    await page.goto(`/rules/new?peck=${body.peck_id}`)
    await link(page, 'anyone at example.com').click()
    await expect(sentence(page)).toContainText('to is at example.com or below it')
    await link(page, 'anything').click()
    await expect(sentence(page)).toContainText('subject is anything and to is at example.com or below it')
  })
})
