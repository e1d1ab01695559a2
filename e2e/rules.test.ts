/** Rules in a browser: from a waiting request to a signed rule, what it then answers, and the switch that pauses everything. */
import type { Page } from '@playwright/test'
import { addPasskey, button, expectFocusOn, expectText, heading, link, open, sidewaysOf } from './browser'
import { openAccountMenu } from './controls/sign-in'
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
/** Opens the chips of a rule. */
const adjust = (page: Page) => page.getByText('Change it: who, what, how much, how long')
const sign = (page: Page) => button(page, 'Sign and approve')
const sentence = (page: Page) => page.locator('[data-rule-sentence]').first()

/** Signs the narrowest rule of a waiting request. */
async function signFrom(page: Page, peckId: string): Promise<void> {
  await open(page, `/rules/new?peck=${peckId}`)
  await sign(page).click()
  await expectText(page, 'The rule is signed, and the waiting request is approved.')
}

/** Fills the form of a new rule: at most €50.00 to the shop. */
async function fillShopRule(page: Page): Promise<void> {
  await open(page, '/rules/new?draft=1')
  await page.getByLabel('Actions').fill('pay:invoice')
  await page.getByLabel('Name of detail 1').fill('amount')
  await page.getByLabel('Condition of detail 1').selectOption('at_most')
  await page.getByLabel('Value of detail 1').fill('€50.00')
  await page.getByLabel('Name of detail 2').fill('to')
  await page.getByLabel('Value of detail 2').fill(shop)
}

test('a waiting request becomes a signed rule in two taps, and the next one is answered without any', {
  tag: '@changed',
}, async ({ ownPage: page, pay }) => {
  const waiting = await pay('€38.00')
  expect(waiting.status).toBe('pending')
  const taps = countTaps()
  await open(page, '/pecks')
  await taps.tap(dontAskAgain(page))
  await page.setViewportSize({ width: 320, height: 700 })
  // One sentence with one budget, and one button on the first screen.
  await expect(sentence(page)).toHaveText(
    /^Approve without asking me: pay an invoice, for exactly €38\.00, to "shop@example\.com"\. At most €100\.00 a month\. Until [^.]+\.$/,
  )
  await expect(sign(page)).toBeInViewport({ ratio: 1 })
  await expect(link(page, 'up to €50.00')).toBeHidden()
  await taps.tap(sign(page))
  await expectText(page, 'The rule is signed, and the waiting request is approved.')
  expect(taps.count()).toBe(2)
  expect(await pay('€38.00')).toMatchObject({ status: 'approved', grant_status: 'active' })
  expect(await pay('€12.00')).toMatchObject({ status: 'pending' })
  expect(await pay('€38.00', 'other@example.com')).toMatchObject({ status: 'pending' })
})

test('a rule that is widened before the signature answers up to its amount and its budget', async ({
  ownPage: page,
  pay,
}) => {
  const { peck_id } = await pay('€38.00')
  await open(page, `/rules/new?peck=${peck_id}`)
  await expectText(page, 'Only a request with exactly these details fits.')
  await adjust(page).click()
  await link(page, 'up to €50.00').click()
  await expect(sentence(page)).toContainText('for at most €50.00')
  await expect(page.getByText('Only a request with exactly these details fits.')).toHaveCount(0)
  await sign(page).click()
  await expectText(page, 'The rule is signed, and the waiting request is approved.')
  expect(await pay('€12.00')).toMatchObject({ status: 'approved', grant_status: 'active' })
  // The budget has €100.00: what is over it waits.
  expect(await pay('€45.00')).toMatchObject({ status: 'approved' })
  expect(await pay('€46.00')).toMatchObject({ status: 'pending' })
})

test('the rehearsal shows what a rule would have answered, and why it leaves the others', async ({
  ownPage: page,
  pay,
}) => {
  await pay('€60.00')
  const { peck_id } = await pay('€38.00')
  await open(page, `/rules/new?peck=${peck_id}`)
  await expectText(page, 'In the last 30 days, this would have answered 1 of 2 requests')
  await page.getByText('Show these requests').click()
  await expectText(page, 'Its “Amount” is outside of the rule.')
  await adjust(page).click()
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
  await expect(sentence(page)).toContainText('for at most €100.00')
  await expectText(page, 'this would have answered 2 of 2 requests')
  expect(await sidewaysOf(page)).toBe(0)
})

test('the feed of the inbox shows an answer, and revokes it while it is unused', { tag: '@changed' }, async ({
  ownPage: page,
  pay,
}) => {
  await signFrom(page, (await pay('€38.00')).peck_id)
  const { peck_id } = await pay('€38.00')
  await open(page, '/allowed')
  const permissions = page.getByRole('region', { name: 'Permissions' })
  const line = permissions.getByRole('paragraph').filter({ hasText: 'By your rule:' })
  await expect(line.getByRole('link')).toHaveAttribute('href', /^\/rules\//)
  await open(page, '/pecks')
  const feed = page.getByRole('list', { name: 'Answered for you' })
  await expect(feed.locator('[data-answer]')).toHaveCount(1)
  await expect(feed).toContainText('€62.00 of €100.00 left this month')
  await feed.getByRole('button', { name: 'Revoke' }).click()
  await expectFocusOn(page, /The permission was not used/)
  await expect(feed.locator(`[data-answer="${peck_id}"]`)).toContainText('Revoked')
  await expect(feed).toContainText('€100.00 of €100.00 left this month')
})

test('a request over the budget says so, and its rule can be told to ask from now on', async ({
  ownPage: page,
  pay,
}) => {
  await signFrom(page, (await pay('€38.00')).peck_id)
  await pay('€38.00')
  await pay('€38.00')
  const { peck_id, status } = await pay('€38.00')
  expect(status).toBe('pending')
  await open(page, `/pecks/${peck_id}`)
  await expectText(page, 'A rule has too little left')
  await expectText(page, '€24.00 of €100.00 left this month, and this request asks for €38.00.')
  const other = await pay('€38.00', 'other@example.com')
  await open(page, `/rules/new?peck=${other.peck_id}`)
  await expect(sentence(page)).toBeVisible()
  await expect(page.getByText('Your rule has too little left for this')).toHaveCount(0)
  await open(page, `/rules/new?peck=${peck_id}`)
  await expectText(page, 'Your rule has too little left for this')
  await expectText(
    page,
    '€24.00 of €100.00 left this month. A second rule allows another €100.00 each month.',
  )
  await expect(link(page, 'Raise the limit of that rule')).toHaveAttribute('href', /\/rules\/[^/]+\/edit$/)
  await open(page, `/pecks/${peck_id}`)
  await link(page, 'See the rule').click()
  await button(page, 'Pause').click()
  await expect(button(page, 'Resume')).toBeVisible()
  await open(page, `/pecks/${peck_id}`)
  await expect(page.getByText('A rule has too little left')).toHaveCount(0)
  await open(page, '/allowed')
  await expect(page.getByRole('list', { name: 'Your rules' })).toContainText('Paused')
})

test('one switch pauses everything on every page, and resuming asks for the passkey', async ({
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
    await openAccountMenu(page)
    await expect(button(page, 'Pause everything')).toBeInViewport({ ratio: 1 })
    await expect(button(page, 'Sign out')).toBeInViewport({ ratio: 1 })
    expect(await sidewaysOf(page)).toBe(0)
    await page.keyboard.press('Escape')
    await expect(button(page, 'Sign out')).toBeHidden()
  }
  await openAccountMenu(page)
  await button(page, 'Pause everything').click()
  await expectText(page, 'Everything is paused.')
  expect(await pay('€10.00')).toMatchObject({ status: 'pending' })
  await link(page, 'Resume …').click()
  await expect(heading(page, 'Allowed', 1)).toBeVisible()
  await passkeys.confirm(false)
  await button(page, 'Resume everything').click()
  await expectText(page, 'The passkey prompt was closed')
  await passkeys.confirm(true)
  await button(page, 'Confirm with passkey').click()
  await expect(button(page, 'Resume everything')).toBeHidden()
  expect(await pay('€10.00', 'nobody@example.com')).toMatchObject({ status: 'pending' })
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('pause all')
  await page.getByRole('option', { name: /Pause everything/ }).click()
  await expectText(page, 'Everything is paused.')
})

test('a rule from scratch shows its sentence, and becomes narrower without the passkey', {
  tag: '@changed',
}, async ({ ownPage: page, pay, passkeys }) => {
  await pay('€20.00')
  await fillShopRule(page)
  await page.getByLabel('Amount').fill('€100.00')
  await page.getByLabel('In which time').selectOption('month')
  await expect(sentence(page)).toContainText(', for at most €50.00, to "shop@example.com"')
  await expect(sentence(page)).toContainText('At most €100.00 a month')
  await button(page, 'Sign with passkey').click()
  await expectText(page, 'The rule is signed. It answers from the next request on.')
  await passkeys.confirm(false)
  await button(page, 'At most €50.00 a month').click()
  await expectText(page, 'The rule was changed.')
  await expect(sentence(page)).toContainText('At most €50.00 a month')
  await link(page, 'Change rule').click()
  await page.getByText('For programs').click()
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
    await adjust(page).click()
    await link(page, 'anyone at example.com').click()
    await expect(sentence(page)).toContainText('to an address at example.com or its subdomains')
    await link(page, 'anything').click()
    await expect(sentence(page)).toContainText(
      'to an address at example.com or its subdomains, with any value for subject',
    )
  })
})
