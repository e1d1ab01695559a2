/** The pages for everybody, in a browser against the running server. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Person, patient, signInAs, startBrowser } from './browser'
import { aPerson, codeIn, eventually, outboxOf, type RunningServer, send, startServer } from './server'

let server: RunningServer
let browser: Browser
const flock: Person[] = []

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), startBrowser()])
  // More than the 24 of a page.
  const names = Array.from({ length: 25 }, (_, index) => `Flock${index}`)
  flock.push(...(await Promise.all(names.map((name) => aPerson(server, name)))))
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function open(path: string, options: BrowserContextOptions & { as?: Person } = {}): Promise<Page> {
  const { as, ...rest } = options
  const context: BrowserContext = await browser.newContext({ ...rest, reducedMotion: 'reduce' })
  onTestFinished(() => context.close())
  if (as) await signInAs(context, server, as)
  const page = await context.newPage()
  await page.goto(`${server.url}${path}`)
  return page
}

const textOf = async (page: Page) => (await page.locator('main').textContent()) ?? ''
const flaws = async (page: Page) => (await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)

describe('the front page', patient, () => {
  it('lets one answer a request without script, and sends nothing', async () => {
    const page = await open('/', { javaScriptEnabled: false })
    const asked: string[] = []
    page.on('request', (request) => {
      if (['document', 'fetch', 'xhr'].includes(request.resourceType())) asked.push(request.url())
    })
    await page.getByText('Approve', { exact: true }).click()
    await page.locator('#tried-approve').waitFor()
    expect(await page.locator('#tried-reject').isVisible()).toBe(false)
    await page.getByText('Reject', { exact: true }).click()
    await page.locator('#tried-reject').waitFor()
    expect(await page.locator('#tried-approve').isVisible()).toBe(false)
    expect(asked).toEqual([])
  })

  it('leads strangers to sign up, and whoever is signed in to their own', async () => {
    const stranger = await open('/')
    expect(await stranger.getByRole('link', { name: 'Get your duck' }).first().getAttribute('href')).toBe(
      '/signup',
    )
    const known = await open('/', { as: flock[0] })
    expect(await known.getByRole('link', { name: 'Go to your pond' }).getAttribute('href')).toBe('/home')
  })
})

describe('the directory', patient, () => {
  const names = (page: Page) => page.locator('main li p.font-display').allTextContents()

  it('shows everybody exactly once over its pages, newest first, also without script', async () => {
    const page = await open('/directory', { javaScriptEnabled: false })
    const first = await names(page)
    expect(first).toHaveLength(24)
    await page.getByRole('link', { name: 'Further back' }).click()
    const second = await names(page)
    expect([...first, ...second].toSorted()).toEqual(flock.map((_, index) => `Flock${index}`).toSorted())
    expect(await page.getByRole('link', { name: 'Further back' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Back to the newest' }).click()
    expect(await names(page)).toEqual(first)
  })

  it('of a tier shows those at it only, and says so where there is nobody', async () => {
    const climber = flock[3] as Person
    const phone = '+491701234567'
    await send(server, 'PUT /beak/trust/elevate', { token: climber.token, body: { phone } })
    const otp = await codeIn(server, phone)
    expect(
      (await send(server, 'PUT /beak/trust/elevate', { token: climber.token, body: { otp } })).status,
    ).toBe(200)
    const page = await open('/directory')
    await page.getByRole('link', { name: 'T2', exact: true }).click()
    await page.waitForURL('**/directory?tier=T2')
    await page.locator('[aria-current=page]', { hasText: 'T2' }).waitFor()
    expect(await names(page)).toEqual(['Flock3'])
    await page.getByRole('link', { name: 'T3', exact: true }).click()
    await page.getByText('Nobody at T3 yet.').waitFor()
  })

  it('marks oneself, and tells who is hidden why they are missing', async () => {
    const hidden = await aPerson(server, 'Hider')
    await send(server, 'POST /beak/profile/update', {
      token: hidden.token,
      body: { directory_visible: false },
    })
    const own = await open('/directory', { as: flock[24] })
    expect(
      await own.locator('main li', { hasText: 'Flock24' }).getByText('You', { exact: true }).count(),
    ).toBe(1)
    expect(await own.getByText('You', { exact: true }).count()).toBe(1)
    expect(await textOf(await open('/directory', { as: hidden }))).toContain('You have hidden yourself')
  })

  it('is there for a browser whose session has ended, and says so at an address that is not valid', async () => {
    const ended = await aPerson(server, 'Ender', { verified: false })
    await send(server, 'POST /beak/signout', { token: ended.token })
    expect(await names(await open('/directory', { as: ended }))).toHaveLength(24)
    const lost = await open('/directory?tier=T9&cursor=nonsense')
    expect(await textOf(lost)).toContain('This address is not valid')
    expect(await flaws(lost)).toEqual([])
  })
})

describe('the status', patient, () => {
  it('looks again by itself, and not while it is stopped', async () => {
    const owner = flock[1] as Person
    const { body } = await send(server, 'POST /beak/agent/register', {
      token: owner.token,
      body: { agent_name: 'Scout', agent_type: 'assistant', capabilities: ['read:peck'] },
    })
    const page = await open('/healthz')
    await page.clock.install()
    await page.goto(`${server.url}/status`)
    await page.getByRole('heading', { level: 1, name: 'All is well on the pond.' }).waitFor()
    const alive = page.locator('dl', { hasText: 'Agents alive' }).locator('dd span').first()
    expect(await alive.textContent()).toBe('0')
    await page.getByRole('button', { name: 'Stop looking' }).click()
    await send(server, 'POST /beak/agent/bond', {
      key: body.beak_key,
      body: { agent_id: body.agent_id, handshake_token: body.handshake_token },
    })
    await page.clock.fastForward(120_000)
    expect(await alive.textContent()).toBe('0')
    await page.getByRole('button', { name: 'Look again' }).click()
    await eventually(async () => {
      await page.clock.fastForward(31_000)
      return (await alive.textContent()) === '1' ? true : null
    })
  })
})

describe('the numbers', patient, () => {
  it('say what the API says, in figures, in words for the chart and in the table', async () => {
    const page = await open('/numbers')
    const { body } = await send(server, 'GET /beak/metrics')
    const ducklings = String(body.registered_ducklings)
    expect(Number(ducklings)).toBeGreaterThanOrEqual(25)
    expect(await page.locator('section[aria-labelledby=registered_ducklings] p').first().textContent()).toBe(
      ducklings,
    )
    const chart = page.getByRole('img', { name: 'Ducklings' })
    expect(await chart.locator('desc').textContent()).toMatch(new RegExp(`^${ducklings} on `))
    await page.getByText('The counts as a table').click()
    expect(await page.locator('tbody tr').first().locator('td').first().textContent()).toBe(ducklings)
    expect(await flaws(page)).toEqual([])
  })
})

describe('support', patient, () => {
  it('says beside the field what is wrong, keeps what was typed, and gives a ticket that arrives by mail', async () => {
    const page = await open('/support', { as: flock[2] })
    const [email, message] = [page.getByLabel('Your e-mail address'), page.getByLabel('Message')]
    expect(await email.inputValue()).toBe(flock[2]?.email)
    await email.fill('nowhere')
    await message.fill('q'.repeat(5001))
    await page.getByText('5,001 of 5,000 characters').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Must be an e-mail address.').waitFor()
    await page.getByText('Must have at most 5000 characters.').waitFor()
    expect(await email.evaluate((field) => field === document.activeElement)).toBe(true)
    expect((await message.inputValue()).length).toBe(5001)
    expect(await flaws(page)).toEqual([])
    await email.fill('writer@example.com')
    await message.fill('My duck does not quack.')
    await page.getByRole('button', { name: 'Send' }).click()
    const title = page.getByRole('heading', { name: 'Your letter has arrived.' })
    await title.waitFor()
    expect(await title.evaluate((heading) => heading === document.activeElement)).toBe(true)
    const [ticket = ''] = /TKT-[0-9A-Z]{26}/.exec(await textOf(page)) ?? []
    const mail = await eventually(() =>
      outboxOf(server).find(({ subject }) => subject === `Support request ${ticket}`),
    )
    expect(mail.text).toContain('> My duck does not quack.')
  })
})

describe('the newsletter', patient, () => {
  it('begins and ends with the links of its letter, without script, and not by opening them', async () => {
    const page = await open('/newsletter', { javaScriptEnabled: false })
    await page.getByLabel('Your e-mail address').fill('reader@example.com')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByText('One more step, in your mail.').waitFor()
    const { text } = await eventually(() =>
      outboxOf(server).find(({ to, kind }) => to === 'reader@example.com' && kind === 'newsletter_confirm'),
    )
    const linkTo = (name: string) => new RegExp(`http\\S+/newsletter/${name}\\S+`).exec(text)?.[0] ?? ''
    await page.goto(linkTo('confirm'))
    await page.goto(linkTo('confirm'))
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('heading', { name: 'You are subscribed.' }).waitFor()
    expect(page.url()).not.toContain('NWS-')
    await page.goto(linkTo('unsubscribe'))
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'You are unsubscribed.' }).waitFor()
    // Whoever has unsubscribed does not come back by an old link.
    await page.goto(linkTo('confirm'))
    await page.getByRole('button', { name: 'Subscribe' }).click()
    await page.getByRole('heading', { name: 'This link has expired or was used.' }).waitFor()
  })

  it('says beside the field what is wrong', async () => {
    const page = await open('/newsletter')
    await page.getByLabel('Your e-mail address').fill('reader@example.com')
    await page.getByLabel('You come as a partner').fill('http://spam.example')
    await page.getByRole('button', { name: 'Subscribe' }).click()
    const field = page.getByLabel('You come as a partner')
    await eventually(async () => ((await field.getAttribute('aria-invalid')) === 'true' ? true : null))
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await flaws(page)).toEqual([])
  })
})

describe('what crawlers and other sites read', patient, () => {
  it('lists pages under the address of the service, none of which is kept from crawlers', async () => {
    const [sitemap, robots] = await Promise.all(
      ['/sitemap.xml', '/robots.txt'].map(async (path) => (await fetch(`${server.url}${path}`)).text()),
    )
    const places = [...(sitemap ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place = '']) => place)
    const kept = [...(robots ?? '').matchAll(/^Disallow: (\S+)$/gm)].map(([, path = '']) =>
      path.replace('$', ''),
    )
    expect(places).toContain(`${server.url}/directory`)
    for (const place of places) {
      expect(place.startsWith(`${server.url}/`)).toBe(true)
      expect(kept.filter((path) => new URL(place).pathname.startsWith(path))).toEqual([])
    }
    expect(robots).toContain(`Sitemap: ${server.url}/sitemap.xml`)
  })

  it.each(['/opengraph-image', '/apple-touch-icon.png'])('draws %s', async (path) => {
    const picture = await fetch(`${server.url}${path}`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  })
})
