/** The audit log in a browser: its sentences, its filters, the check of the log, its downloads. */
import { readFileSync } from 'node:fs'
import { verifyAudit } from '@beak/proofs/audit/verify'
import type { Page } from '@playwright/test'
import { button, expectText, heading, link, open } from './browser'
import { test as base, expect } from './fixtures'
import type { Person } from './people'
import { send } from './server'

const update = (server: { url: string }, { token }: Pick<Person, 'token'>, bio: string) =>
  send(server, 'POST /beak/profile/update', { token, body: { bio } })

const test = base.extend<{ auditPage: Page }>({
  auditPage: async ({ newPage, busyPerson }, use) => {
    const page = await newPage({ as: busyPerson })
    await open(page, '/audit')
    await audit.forExperts(page).click()
    await use(page)
  },
})

const audit = {
  sentences: (page: Page) => page.locator('main ol summary'),
  forExperts: (page: Page) => page.getByText('For experts'),
  kind: (page: Page) => page.getByLabel('Event', { exact: true }),
  outcome: (page: Page) => page.getByLabel('Outcome'),
  show: (page: Page) => button(page, 'Apply'),
  check: (page: Page) => button(page, 'Check the log'),
}

test.describe('the list', () => {
  test('describes each event in a sentence, and shows its details after a click, also without JavaScript', async ({
    newPage,
    busyPerson,
  }) => {
    const page = await newPage({ as: busyPerson, javaScriptEnabled: false })
    await page.goto('/audit')
    const sentences = audit.sentences(page)
    await expect(sentences.first()).toHaveText(
      /^You changed the short bio\.\s*from an unknown device\s*\d\d:\d\d$/,
    )
    await sentences.first().click()
    await expect(page.getByText('duckling.updated').filter({ visible: true }).first()).toBeVisible()
    await link(page, 'Older').click()
    await expect(sentences.last()).toHaveText(/^You signed up\./)
  })

  test('filters by kind or by refused attempts, and rejects an unknown filter', async ({
    auditPage: page,
    complaints,
  }) => {
    complaints.expect(/status of 400/)
    const sentences = audit.sentences(page)
    await audit.kind(page).selectOption('Certificate issued')
    await audit.show(page).click()
    await page.waitForURL(/action=cert\.issued/)
    await expect(sentences).toHaveCount(2)
    await audit.forExperts(page).click()
    await audit.outcome(page).selectOption('Refused only')
    await audit.show(page).click()
    await page.waitForURL(/outcome=denied/)
    await expect(sentences).toHaveText([
      /You tried to issue a certificate\.\s*Refused\s*You already have an active/,
    ])
    expect(await open(page, '/audit?action=nonsense&cursor=nonsense')).toBe(400)
    await link(page, 'Show the newest').click()
    await page.waitForURL('/audit')
    await expect(sentences).toHaveCount(50)
  })
})

test.describe('the topics', () => {
  test('show only what a person looks for', async ({ auditPage: page }) => {
    await link(page, 'Agents').last().click()
    await page.waitForURL(/topic=agents/)
    await expect(link(page, 'Agents').last()).toHaveAttribute('aria-current', 'page')
    await expect(audit.sentences(page).filter({ hasText: 'You changed the short bio' })).toHaveCount(0)
    await link(page, 'Settings').click()
    await page.waitForURL(/topic=settings/)
    await expect(audit.sentences(page).first()).toHaveText(/^You changed the short bio\./)
  })
})

test.describe('the check of the log', () => {
  test('says that the log is intact, and finds its earlier end again the next time', async ({
    auditPage: page,
    server,
    busyPerson,
  }) => {
    await audit.check(page).click()
    await expectText(page, /^\d+ events intact since \d+ \w+ \d{4}$/)
    await update(server, busyPerson, 'later')
    await button(page, 'Check again').click()
    await expectText(page, /The log still contains event \d+, the last one when you checked before/)
  })

  test('names an event that was changed on the way to the browser', async ({ auditPage: page }) => {
    await page.route(/\/api\/audit(\?|$)/, async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      for (const event of body.items) if (event.seq === 7) event.occurred_at = '2020-01-01T00:00:00.000Z'
      await route.fulfill({ response: answer, json: body })
    })
    await audit.check(page).click()
    await expectText(page, 'The log failed the check')
    await expect(page.getByRole('main').getByRole('status')).toContainText(
      /Event 7 EVT-\w+Its content does not match its hash/,
    )
  })
})

test.describe('the transparency log', () => {
  test('has a panel with a link to the reference, also without JavaScript', async ({
    newPage,
    busyPerson,
  }) => {
    const page = await newPage({ as: busyPerson, javaScriptEnabled: false })
    await page.goto('/audit')
    await audit.forExperts(page).click()
    await expect(heading(page, 'Transparency log')).toBeVisible()
    await link(page, 'How to check the proof').click()
    await page.waitForURL(/\/docs\/api\/audit#get-beak-audit-proof$/)
    await expect(page.locator('#get-beak-audit-proof')).toHaveCount(1)
  })

  test('returns the proof only to its owner', async ({ auditPage: page, server }) => {
    expect((await fetch(`${server.url}/api/audit/proof`)).status).toBe(401)
    const proof = await page.request.get('/api/audit/proof')
    expect([proof.status(), (await proof.json()).origin]).toEqual([
      200,
      `${new URL(server.url).host}/.well-known/tlog`,
    ])
  })
})

test.describe('the downloads', () => {
  async function download(page: Page, name: string): Promise<string> {
    const downloading = page.waitForEvent('download')
    await link(page, name).click()
    return readFileSync(await (await downloading).path(), 'utf8')
  }

  test('contain the whole log in the format of the command line', async ({ auditPage: page, busyPerson }) => {
    const report = await verifyAudit(JSON.parse(await download(page, 'Download as JSON')))
    expect(report).toMatchObject({ faults: [], ducklingId: busyPerson.id, head: { seq: report.events } })
  })

  test('contain a table with one line per event', async ({ auditPage: page, server, busyPerson }) => {
    const lines = (await download(page, 'Download as CSV')).trimEnd().split('\r\n')
    const { body } = await send(server, 'GET /beak/audit/head', { token: busyPerson.token })
    expect(lines).toHaveLength(body.seq + 1)
    expect(lines[1]).toContain('You signed up')
  })

  test('require a sign-in', async ({ server }) => {
    for (const path of ['/api/audit', '/api/audit/head', '/api/audit/export'])
      expect((await fetch(server.url + path)).status).toBe(401)
    const { status, headers } = await fetch(`${server.url}/api/audit/export`, {
      redirect: 'manual',
      headers: { Accept: 'text/html' },
    })
    expect([status, headers.get('location')]).toEqual([303, `${server.url}/signin?next=%2Faudit`])
  })
})
