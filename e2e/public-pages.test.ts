/** The public pages, in a browser. */
import type { Page } from '@playwright/test'
import { randomPhone } from '@/lib/fixtures/accounts'
import { button, expectAccessible, expectText, heading, link, open } from './browser'
import { test as base, expect } from './fixtures'
import { linkTo, outboxOf } from './outbox'
import { anAddress, anAgent, aPerson, bond, confirmPhone, type Person } from './people'
import { eventually, send, startServer } from './server'

/** Starts a separate server with 25 people in its directory, one more than a page shows. */
const test = base.extend<object, { flock: Person[] }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  flock: [
    async ({ server }, use) => {
      const names = Array.from({ length: 25 }, (_, index) => `Flock${index}`)
      await use(await Promise.all(names.map((name) => aPerson(server, name))))
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test.describe('the front page', () => {
  test('lets a visitor answer the example request without JavaScript, and sends nothing', async ({
    newPage,
  }) => {
    const page = await newPage({ javaScriptEnabled: false })
    await page.goto('/')
    const requests: string[] = []
    page.on('request', (request) => {
      if (['document', 'fetch', 'xhr'].includes(request.resourceType())) requests.push(request.url())
    })
    const [approved, rejected] = [page.locator('#tried-approve'), page.locator('#tried-reject')]
    await page.getByText('Approve', { exact: true }).click()
    await expect(approved).toBeVisible()
    await expect(rejected).toBeHidden()
    await page.getByText('Reject', { exact: true }).click()
    await expect(rejected).toBeVisible()
    await expect(approved).toBeHidden()
    expect(requests).toEqual([])
  })

  test('links visitors to the sign-up, and signed-in people to their home page', async ({
    page,
    newPage,
    person,
  }) => {
    await open(page, '/')
    const signUp = page.locator('main').getByRole('link', { name: 'Sign up' })
    await expect(signUp.first()).toHaveAttribute('href', '/signup')
    const own = await newPage({ as: person })
    await open(own, '/')
    await expect(link(own, 'Go to my home page')).toHaveAttribute('href', '/home')
  })
})

test.describe('the directory', () => {
  // These tests count the people, so they run before the other tests of this file.
  const names = (page: Page) => page.locator('main li p.font-display')
  const older = (page: Page) => link(page, 'Show older')

  test('lists everyone exactly once over its pages, newest first, also without JavaScript', async ({
    newPage,
    flock,
  }) => {
    const page = await newPage({ javaScriptEnabled: false })
    const seen: string[] = []
    await page.goto('/directory')
    await expect(names(page)).toHaveCount(24)
    const first = await names(page).allTextContents()
    seen.push(...first)
    while ((await older(page).count()) > 0) {
      const address = page.url()
      await older(page).click()
      await expect(page).not.toHaveURL(address)
      seen.push(...(await names(page).allTextContents()))
    }
    const flockNames = flock.map(({ name }) => name)
    expect(seen.filter((name) => flockNames.includes(name)).toSorted()).toEqual(flockNames.toSorted())
    await link(page, 'Show newest').click()
    await expect(names(page)).toHaveText(first)
  })

  test('lists only people of the chosen tier, and says so when there are none', async ({
    page,
    flock,
    server,
  }) => {
    const [, , , climber] = flock
    if (climber) await confirmPhone(server, climber, randomPhone())
    await open(page, '/directory')
    await page.getByRole('link', { name: 'Phone confirmed', exact: true }).click()
    await page.waitForURL('**/directory?tier=T2')
    await expect(page.locator('[aria-current=page]', { hasText: 'Phone confirmed' })).toBeVisible()
    await expect(names(page)).toHaveText(['Flock3'])
    await page.getByRole('link', { name: 'Passkey confirmed', exact: true }).click()
    await expectText(page, 'Nobody here yet')
  })

  test('marks the viewer, and tells hidden people why they are not listed', async ({ newPage, server }) => {
    const shown = await aPerson(server, 'Shown')
    const hidden = await aPerson(server, 'Hider')
    await send(server, 'POST /beak/profile/update', {
      token: hidden.token,
      body: { directory_visible: false },
    })
    const own = await newPage({ as: shown })
    await open(own, '/directory')
    const mark = own.locator('main').getByText('You', { exact: true })
    await expect(mark).toHaveCount(1)
    await expect(own.locator('main li', { hasText: 'Shown' }).getByText('You', { exact: true })).toHaveCount(
      1,
    )
    const otherPage = await newPage({ as: hidden })
    await open(otherPage, '/directory')
    await expect(otherPage.locator('main')).toContainText('You are not listed')
  })

  test('tells a person from her twins, also with letters that look alike', async ({ newPage, server }) => {
    const anna = await aPerson(server, 'Annalisa')
    const twin = await aPerson(server, 'Annal1sa')
    const page = await newPage({ as: anna })
    await open(page, '/directory')
    const entries = page.locator('main li')
    const warning = 'Not you: same name, other person.'
    const ofTwin = entries.filter({ hasText: `…${twin.id.slice(-4)}` })
    await expect(ofTwin).toContainText(warning)
    await expect(entries.filter({ hasText: `…${anna.id.slice(-4)}` })).not.toContainText(warning)
    const visitor = await newPage()
    await open(visitor, '/directory?q=Annalisa')
    await expect(visitor.locator('main')).toContainText(`…${anna.id.slice(-4)}`)
    await open(visitor, '/directory')
    for (const { id } of [anna, twin])
      await expect(visitor.locator('main li', { hasText: `…${id.slice(-4)}` })).toContainText(
        'Another person here has the same name.',
      )
  })

  test('works for a browser whose session has ended, and rejects an invalid address', async ({
    page,
    newPage,
    complaints,
    flock: _,
    server,
  }) => {
    complaints.expect(/status of 400/)
    const ended = await aPerson(server, 'Ender', { verified: false })
    await send(server, 'POST /beak/signout', { token: ended.token })
    const own = await newPage({ as: ended })
    await open(own, '/directory')
    await expect(names(own)).toHaveCount(24)
    await open(page, '/directory?tier=T9&cursor=nonsense')
    await expect(page.locator('main')).toContainText("This address isn't valid")
    await expectAccessible(page)
  })
})

test('the status page refreshes automatically, but not while paused', async ({ page, person, server }) => {
  const agent = await anAgent(server, person)
  await page.clock.install()
  await open(page, '/status')
  await expect(heading(page, 'Everything works', 1)).toBeVisible()
  const alive = page.locator('dl', { hasText: 'Active agents' }).locator('dd span').first()
  await expect(alive).toHaveText('0')
  await button(page, 'Pause auto-refresh').click()
  await expect(button(page, 'Resume auto-refresh')).toBeVisible()
  await bond(server, agent)
  await page.clock.fastForward(120_000)
  await expect(alive).toHaveText('0')
  await button(page, 'Resume auto-refresh').click()
  await expect(async () => {
    await page.clock.fastForward(31_000)
    await expect(alive).toHaveText('1', { timeout: 1_000 })
  }).toPass()
})

test('the numbers page shows the values of the API as figures, as a text for the chart and in the table', async ({
  page,
  flock: _,
  server,
}) => {
  const { body } = await send(server, 'GET /beak/metrics')
  const ducklings = String(body.registered_ducklings)
  expect(Number(ducklings)).toBeGreaterThanOrEqual(25)
  await open(page, '/numbers')
  await expect(page.locator('section[aria-labelledby=registered_ducklings] p').first()).toHaveText(ducklings)
  const chart = page.getByRole('img', { name: 'People' })
  await expect(chart.locator('desc')).toHaveText(new RegExp(`^${ducklings} on `))
  await page.getByText('The counts as a table').click()
  await expect(page.locator('tbody tr').first().locator('td').first()).toHaveText(ducklings)
  await expectAccessible(page)
})

test('the support form shows errors beside the fields, keeps the typed values, and shows the number of the ticket that it mails', async ({
  ownPage: page,
  person,
  server,
}) => {
  await open(page, '/support')
  const [email, message] = [page.getByLabel('Your email address'), page.getByLabel('Message')]
  await expect(email).toHaveValue(person.email)
  await email.fill('nowhere')
  await message.fill('q'.repeat(5001))
  await expectText(page, '5,001 of 5,000 characters')
  await button(page, 'Send').click()
  await expectText(page, 'Must be an email address, like ann@example.org.')
  await expectText(page, 'Must have at most 5000 characters.')
  await expect(email).toBeFocused()
  await expect(message).toHaveValue('q'.repeat(5001))
  await expectAccessible(page)
  await email.fill('writer@example.com')
  await message.fill('My duck does not quack.')
  await button(page, 'Send').click()
  await expect(heading(page, 'We got your message.')).toBeFocused()
  const [ticket = ''] = /TKT-[0-9A-Z]{26}/.exec((await page.locator('main').textContent()) ?? '') ?? []
  const mail = await eventually(() =>
    outboxOf(server).find(({ subject }) => subject === `Support request ${ticket}`),
  )
  expect(mail.text).toContain('> My duck does not quack.')
})

test.describe('the newsletter', () => {
  const newsletter = {
    email: (page: Page) => page.getByLabel('Your email address'),
    partner: (page: Page) => page.getByLabel("I'm a partner"),
    subscribe: (page: Page) => page.getByRole('button', { name: 'Subscribe', exact: true }),
    unsubscribe: (page: Page) => button(page, 'Unsubscribe'),
  }

  test('subscribes and unsubscribes with a button on the linked pages, not by opening them, without JavaScript', async ({
    newPage,
    complaints,
    server,
  }) => {
    complaints.expect(/status of 404/)
    const page = await newPage({ javaScriptEnabled: false })
    const reader = anAddress('reader')
    await page.goto('/newsletter')
    await newsletter.email(page).fill(reader)
    await newsletter.subscribe(page).click()
    await expectText(page, 'Check your email to confirm.')
    const confirm = await linkTo(server, '/newsletter/confirm', reader)
    const unsubscribe = await linkTo(server, '/newsletter/unsubscribe', reader)
    await page.goto(confirm)
    await page.goto(confirm)
    await newsletter.subscribe(page).click()
    await expect(heading(page, 'You are subscribed.')).toBeVisible()
    expect(page.url()).not.toContain('NWS-')
    await page.goto(unsubscribe)
    await newsletter.unsubscribe(page).click()
    await expect(heading(page, 'You are unsubscribed.')).toBeVisible()
    // An old link does not subscribe a person who has unsubscribed.
    await page.goto(confirm)
    await newsletter.subscribe(page).click()
    await expect(heading(page, 'This link has expired or was used.')).toBeVisible()
  })

  test('shows an error beside its field', async ({ page }) => {
    await open(page, '/newsletter')
    await newsletter.email(page).fill('reader@example.com')
    await newsletter.partner(page).fill('http://spam.example')
    await newsletter.subscribe(page).click()
    await expect(newsletter.partner(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(newsletter.partner(page)).toBeFocused()
    await expectAccessible(page)
  })
})

test.describe('for crawlers and other sites', () => {
  test('the sitemap lists only addresses of this service that robots.txt allows', async ({ server }) => {
    const [sitemap = '', robots = ''] = await Promise.all(
      ['/sitemap.xml', '/robots.txt'].map(async (path) => (await fetch(`${server.url}${path}`)).text()),
    )
    const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address)
    const disallowed = [...robots.matchAll(/^Disallow: (\S+)$/gm)].map(([, path = '']) =>
      path.replace('$', ''),
    )
    expect(listed).toContain(`${server.url}/directory`)
    for (const address of listed) {
      expect(address.startsWith(`${server.url}/`)).toBe(true)
      expect(disallowed.filter((path) => new URL(address).pathname.startsWith(path))).toEqual([])
    }
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`)
  })

  for (const path of ['/opengraph-image', '/apple-touch-icon.png'])
    test(`the server renders ${path}`, async ({ server }) => {
      const picture = await fetch(`${server.url}${path}`)
      expect(picture.headers.get('content-type')).toBe('image/png')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
    })
})
