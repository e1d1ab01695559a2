/** The audit log in a browser: what it says, what it filters, and what its check finds. */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyAudit } from '@/lib/proofs/audit/verify'
import { aPerson, type Person, patient, signInAs, startBrowser } from './browser'
import { type RunningServer, send, startServer } from './server'

let server: RunningServer
let browser: Browser
let person: Person

beforeAll(async () => {
  server = await startServer({ env: { LOG_LEVEL: 'error' } })
  browser = await startBrowser()
  person = await aPerson(server, 'Mallard')
  const { token } = person
  await send(server, 'POST /beak/cert/issue', { token })
  await send(server, 'POST /beak/cert/issue', { token })
  await Promise.all(
    Array.from({ length: 55 }, (_, turn) =>
      send(server, 'POST /beak/profile/update', { token, body: { bio: `turn ${turn}` } }),
    ),
  )
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function open(path = '/audit', options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  await signInAs(context, server, person)
  const page = await context.newPage()
  await page.goto(server.url + path)
  return page
}

const sentences = (page: Page) => page.locator('summary').allInnerTexts()

describe('the list', patient, () => {
  it('says each event in a sentence, with everything recorded one click away, also without JavaScript', async () => {
    const page = await open('/audit', { javaScriptEnabled: false })
    const [first] = await sentences(page)
    expect(first).toMatch(/^You changed the text about you\.\s+\d\d:\d\d:\d\d$/)
    await page.locator('summary').first().click()
    await page.getByText('duckling.updated').filter({ visible: true }).first().waitFor()
    await page.getByRole('link', { name: 'Older' }).click()
    expect((await sentences(page)).at(-1)).toMatch(/^You signed up\./)
  })

  it('shows one kind, or only what was refused and why, and forgets a filter that is none', async () => {
    const page = await open()
    await page.getByLabel('What').selectOption('Certificate issued')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/action=cert\.issued/)
    expect(await sentences(page)).toHaveLength(2)
    await page.getByLabel('Outcome').selectOption('Refused only')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.waitForURL(/outcome=denied/)
    const refused = await sentences(page)
    expect(refused).toHaveLength(1)
    expect(refused[0]).toMatch(
      /You tried to issue a birth certificate\.\s+Refused\s+There is already an active/,
    )
    const changed = await page.goto(`${server.url}/audit?action=nonsense&cursor=nonsense`)
    expect(changed?.status()).toBe(400)
    await page.getByRole('link', { name: 'Start from the newest' }).click()
    await page.waitForURL(`${server.url}/audit`)
    expect(await sentences(page)).toHaveLength(50)
  })
})

describe('the check of the chain', patient, () => {
  it('says that the log is unbroken, and finds its earlier end in it the next time', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText(/^\d+ events, unbroken since \d+ \w+ \d{4}$/).waitFor()
    await send(server, 'POST /beak/profile/update', { token: person.token, body: { bio: 'later' } })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText(/The log still goes through event \d+, where it ended/).waitFor()
  })

  it('names the event that was changed on its way', async () => {
    const page = await open()
    await page.route(/\/api\/audit(\?|$)/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      for (const event of body.items) if (event.seq === 7) event.occurred_at = '2020-01-01T00:00:00.000Z'
      await route.fulfill({ response: answer, json: body })
    })
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText('The chain is broken').waitFor()
    expect(await page.getByRole('main').getByRole('status').textContent()).toMatch(
      /Event 7 EVT-\w+Its content does not match its hash/,
    )
  })
})

describe('the transparency log', patient, () => {
  it('shows the panel with a link to the reference, also without JavaScript', async () => {
    const page = await open('/audit', { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'Transparency log' }).waitFor()
    await page.getByRole('link', { name: 'How to check the proof' }).click()
    await page.waitForURL(/\/docs\/api\/audit#get-beak-audit-proof$/)
    expect(await page.locator('#get-beak-audit-proof').count()).toBe(1)
  })

  it('gives the proof to its owner only', async () => {
    expect((await fetch(`${server.url}/api/audit/proof`)).status).toBe(401)
    const page = await open()
    const proof = await page.request.get(`${server.url}/api/audit/proof`)
    expect([proof.status(), (await proof.json()).origin]).toEqual([
      200,
      `${new URL(server.url).host}/.well-known/tlog`,
    ])
  })
})

describe('the downloads', patient, () => {
  async function downloaded(name: string): Promise<string> {
    const page = await open()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name }).click()
    return readFileSync(await (await download).path(), 'utf8')
  }

  it('give the whole log in the form the command line accepts', async () => {
    const report = await verifyAudit(JSON.parse(await downloaded('Download as JSON')))
    expect(report).toMatchObject({ faults: [], ducklingId: person.id, head: { seq: report.events } })
  })

  it('give a table with a line an event', async () => {
    const lines = (await downloaded('Download as CSV')).trimEnd().split('\r\n')
    const { body } = await send(server, 'GET /beak/audit/head', { token: person.token })
    expect(lines).toHaveLength(body.seq + 1)
    expect(lines[1]).toContain('You signed up')
  })

  it('are for nobody who is not signed in', async () => {
    for (const path of ['/api/audit', '/api/audit/head'])
      expect((await fetch(server.url + path)).status).toBe(401)
    expect((await fetch(`${server.url}/api/audit/export`)).status).toBe(401)
    const { status, headers } = await fetch(`${server.url}/api/audit/export`, {
      redirect: 'manual',
      headers: { Accept: 'text/html' },
    })
    expect([status, headers.get('location')]).toEqual([303, `${server.url}/signin?next=%2Faudit`])
  })
})
