/** Times on the pages: in the zone of the browser, with UTC in the title. */
import type { Page } from '@playwright/test'
import { link, open, openUnfolded } from './browser'
import { expect, test } from './fixtures'
import { aPerson, type Person } from './people'
import { send } from './server'

const utcTitle = /^\d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC$/

const checkedAt = (page: Page) =>
  page
    .getByText(/^Checked /)
    .first()
    .locator('time')

/** Returns what a time should look like in a zone. */
async function expected(page: Page, zone: string): Promise<string> {
  const at = (await checkedAt(page).getAttribute('datetime')) ?? ''
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(
    new Date(at),
  )
}

/** Returns the page that checks a new certificate of the person. */
async function certificatePage(server: Parameters<typeof send>[0], { token }: Person): Promise<string> {
  const { body } = await send(server, 'POST /beak/cert/issue', { token })
  return `/verify/${body.cert_id}`
}

test('the first view shows times in the zone of the browser, and the server writes them there from then on', async ({
  newPage,
}) => {
  const page = await newPage({ timezoneId: 'Asia/Kathmandu' })
  await open(page, '/status')
  expect(await checkedAt(page).textContent()).toBe(await expected(page, 'Asia/Kathmandu'))
  expect(await checkedAt(page).getAttribute('title')).toMatch(utcTitle)
  const html = await (await page.request.get('/status')).text()
  expect(html).not.toMatch(/<time[^>]*>[^<]* UTC</)
  // A page that the router loads comes from the server.
  await link(page, 'Support').first().click()
  await page.waitForURL('**/support')
  await link(page, 'Status').first().click()
  await page.waitForURL('**/status')
  await expect(checkedAt(page)).not.toContainText('UTC')
})

test('a browser in another zone than before shows that zone in its first view', async ({
  newPage,
  server,
}) => {
  const page = await newPage({ timezoneId: 'Pacific/Honolulu' })
  await page.context().addCookies([{ name: 'beak.zone', value: 'Europe/Berlin', url: server.url }])
  await open(page, '/status')
  expect(await checkedAt(page).textContent()).toBe(await expected(page, 'Pacific/Honolulu'))
})

test('a view without times tells the server the zone with the first touch', async ({ newPage }) => {
  const page = await newPage({ timezoneId: 'Pacific/Honolulu' })
  await open(page, '/signin')
  const zone = () => page.evaluate(() => document.cookie)
  expect(await zone()).not.toContain('beak.zone')
  await page.getByRole('heading', { level: 1 }).click()
  expect(await zone()).toContain('beak.zone=Pacific/Honolulu')
})

test('times below the view are in the zone of the browser when somebody scrolls to them', async ({
  newPage,
}) => {
  const page = await newPage({ timezoneId: 'Asia/Kathmandu' })
  await page.setViewportSize({ width: 320, height: 200 })
  await open(page, '/status')
  await checkedAt(page).scrollIntoViewIfNeeded()
  await expect(checkedAt(page)).toHaveText(await expected(page, 'Asia/Kathmandu'))
})

for (const value of ['Mars/Olympus', '+05:45', '%00', 'x'.repeat(3000)])
  test(`a cookie with no zone counts as none: ${value.slice(0, 12)}`, async ({ server }) => {
    const answer = await fetch(`${server.url}/status`, { headers: { cookie: `beak.zone=${value}` } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toMatch(/<time[^>]*>\d{1,2} \w+ \d{4}, \d\d:\d\d UTC</)
  })

test('without scripts, times are in UTC and say so', async ({ newPage }) => {
  const page = await newPage({ javaScriptEnabled: false, timezoneId: 'Asia/Kathmandu' })
  await page.goto('/status')
  expect(await checkedAt(page).textContent()).toMatch(utcTitle)
})

test('a distance has the local time and UTC in its title', async ({ newPage, person }) => {
  const page = await newPage({ as: person, timezoneId: 'Asia/Kathmandu' })
  await open(page, '/status')
  await openUnfolded(page, '/security')
  const signedIn = page
    .getByText(/^Signed in/)
    .first()
    .locator('time')
    .first()
  expect(await signedIn.getAttribute('title')).toMatch(/^\d{1,2} \w+ \d{4}, \d\d:\d\d \(.* UTC\)$/)
})

test('the audit log is divided into the days of the zone', async ({ newPage, person, server }) => {
  const page = await newPage({ as: person, timezoneId: 'Pacific/Kiritimati' })
  await open(page, '/status')
  await open(page, '/audit')
  const { body } = await send(server, 'GET /beak/audit?limit=1', { token: person.token })
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Pacific/Kiritimati' })
  const heading = page.locator('section[aria-labelledby^="day-"] h2').first()
  expect(await heading.textContent()).toBe(
    `${day.format(new Date(body.items[0].occurred_at))}Pacific/Kiritimati`,
  )
})

test('a printed certificate has its dates in UTC, too', async ({ newPage, server }) => {
  const path = await certificatePage(server, await aPerson(server, 'Pintail'))
  const page = await newPage({ timezoneId: 'Asia/Kathmandu' })
  await open(page, path)
  await page.emulateMedia({ media: 'print' })
  const issued = page.getByRole('article').locator('time').first()
  const printed = await issued.evaluate((time) => getComputedStyle(time, '::after').content)
  expect(printed).toContain(`(${await issued.getAttribute('title')})`.replaceAll('"', ''))
})
