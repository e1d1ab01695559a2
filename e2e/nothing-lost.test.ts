/** What a person has typed, and the page itself, when the network is cut, the service restarts, or an answer is lost. */
import type { Locator, Page, Request, Route } from '@playwright/test'
import { freePort } from '@/scripts/servers/free-port.mjs'
import { link, open, openUnfolded, signInAs } from './browser'
import { expectLive, inbox, openInbox } from './controls/inbox'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { type Agent, aBondedAgent, anAddress, aPerson, block, type Person } from './people'
import { newDataDir, type Server, send } from './server'

const notSent = 'Not sent.'
const noAnswer = /so we don't know whether this was (sent|done)/

interface FormCase {
  /** The label of the form. */
  label: string
  path: string
  /** What is typed or chosen, by label. */
  fields: Record<string, string>
  /** What must be opened before. */
  unfold?: RegExp
  submit: string | RegExp
  /** What the page says after it was sent. */
  done: string | RegExp
  isPublic?: true
  /** A sign-up leads to the sign-in when it is repeated: an address signs up once. */
  onlyUnsent?: true
}

const address = anAddress('Typed')

const cases: FormCase[] = [
  {
    label: 'Sign up',
    path: '/signup',
    fields: { 'Your name': 'Newcomer', 'Email address': anAddress('Newcomer') },
    submit: 'Sign up',
    done: /code/,
    isPublic: true,
    onlyUnsent: true,
  },
  {
    label: 'About you',
    path: '/profile',
    fields: { 'Short bio': 'I count ducks.' },
    submit: 'Save',
    done: 'Saved.',
  },
  {
    label: 'Register an agent',
    path: '/agents/new/key',
    fields: { Name: 'Kept Scout' },
    submit: 'Register agent',
    done: 'Kept Scout is registered',
  },
  {
    label: 'Add a webhook',
    path: '/webhooks/new',
    fields: { URL: 'https://pond.example/kept' },
    submit: 'Add webhook',
    done: /shown only once/i,
  },
  {
    label: 'When should we notify you?',
    path: '/notifications',
    fields: {},
    submit: 'Save',
    done: 'Saved.',
  },
  {
    label: 'New request',
    path: '/pecks/new/action',
    fields: { Action: 'feed:ducks', Message: 'Two slices, please.' },
    submit: 'Send request',
    done: /Waiting for .* to answer/,
  },
  {
    label: 'Connect a device',
    path: '/device',
    fields: { 'Code on your device': 'BCDF-GHJK' },
    submit: 'Continue',
    done: /code/i,
  },
  {
    label: 'Contact support',
    path: '/support',
    fields: { 'Your email address': address, Message: 'Where are my ducks?' },
    submit: 'Send message',
    done: 'We got your message.',
    isPublic: true,
  },
  {
    label: 'Subscribe to the newsletter',
    path: '/newsletter',
    fields: { 'Your email address': address },
    submit: 'Subscribe',
    done: 'Check your email to confirm.',
    isPublic: true,
  },
]

const formOf = (page: Page, { label }: FormCase) => page.getByRole('form', { name: label, exact: true })

async function fill(form: Locator, { fields }: FormCase, target: Person): Promise<void> {
  if ((await form.getByLabel('To', { exact: true }).count()) > 0)
    await form.getByLabel('To', { exact: true }).fill(target.id)
  for (const [label, value] of Object.entries(fields))
    await form.getByLabel(label, { exact: true }).or(form.getByLabel(label)).first().fill(value)
}

async function expectKept(form: Locator, { fields }: FormCase): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await expect(form.getByLabel(label, { exact: true }).or(form.getByLabel(label)).first()).toHaveValue(
      value,
    )
}

const isAction = (headers: Record<string, string>) => 'next-action' in headers

/** Answers the server actions of the page in another way. */
const answerActions = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route('**/*', (route) => (isAction(route.request().headers()) ? answer(route) : route.fallback()))

/** Lets the service answer the next actions, and cuts the answers on their way back. Returns how many there were. */
async function loseAnswers(page: Page): Promise<() => number> {
  let count = 0
  await answerActions(page, async (route) => {
    await route.fetch()
    count++
    await route.abort('connectionreset')
  })
  return () => count
}

const isRefresh = (request: Request) => 'rsc' in request.headers()

/** Holds back the refreshes of the page. `answered` resolves when the service has answered one, with a function that lets it arrive. */
async function holdRefresh(page: Page): Promise<{ answered: Promise<() => Promise<void>> }> {
  let hold: (route: Route) => Promise<void> = (route) => route.fallback()
  const answered = new Promise<() => Promise<void>>((resolve) => {
    hold = async (route) => {
      const response = await route.fetch()
      resolve(() => route.fulfill({ response }))
    }
  })
  await page.route('**/*', (route) => (isRefresh(route.request()) ? hold(route) : route.fallback()))
  return { answered }
}

/** Sends a form without a network, then without an answer, and then as usual. */
async function sendWithFailures(page: Page, one: FormCase, target: Person): Promise<void> {
  await openUnfolded(page, one.path)
  const form = formOf(page, one)
  await fill(form, one, target)

  await page.context().setOffline(true)
  await form.getByRole('button', { name: one.submit }).click()
  await expect(form.getByRole('alert')).toContainText(notSent)
  await expectKept(form, one)

  await page.context().setOffline(false)
  if (!one.onlyUnsent) {
    const lost = await loseAnswers(page)
    await form.getByRole('button', { name: 'Retry' }).click()
    await expect(form.getByRole('alert')).toContainText(noAnswer)
    expect(lost()).toBe(1)
    await expectKept(form, one)
    await page.unroute('**/*')
  }
  await form.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByText(one.done).first()).toBeVisible()
}

test.describe('a form', () => {
  for (const isPublic of [true, undefined])
    test(`of a ${isPublic ? 'visitor' : 'person'} keeps its page and fields without a network and without an answer, and counts once`, async ({
      newPage,
      person,
      server,
      complaints,
    }) => {
      complaints.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET/)
      const page = await newPage(isPublic ? {} : { as: person })
      const target = await aPerson(server, 'Teal')
      for (const one of cases.filter((each) => each.isPublic === isPublic))
        await test.step(one.label, () => sendWithFailures(page, one, target))
      const { body } = await send(server, 'GET /beak/peck/history', { token: target.token })
      expect(body.items).toHaveLength(isPublic ? 0 : 1)
    })

  test('keeps its fields when a proxy answers with an error page, and when the service fails', async ({
    ownPage: page,
    complaints,
  }) => {
    complaints.expect(/status of 50[0-9]/)
    const one = cases.find(({ label }) => label === 'About you')
    if (one === undefined) throw new Error('no such form')
    await openUnfolded(page, one.path)
    const form = formOf(page, one)
    await form.getByLabel('Short bio').fill('I count ducks.')
    for (const status of [502, 503, 504, 500]) {
      await answerActions(page, (route) =>
        route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
      )
      await form.getByRole('button', { name: status === 502 ? 'Save' : 'Retry' }).click()
      await expect(form.getByRole('alert')).toContainText(noAnswer)
      // The alert of the attempt before has the same words. A new one takes the focus.
      await expect(form.getByRole('alert')).toBeFocused()
      await expectKept(form, one)
      await page.unroute('**/*')
    }
    await form.getByRole('button', { name: 'Retry' }).click()
    await expect(form.getByText('Saved.')).toBeVisible()
  })

  test('says how long to wait when an action is refused, and keeps its fields', async ({
    ownPage: page,
    complaints,
  }) => {
    complaints.expect(/status of 4(29|13)/)
    await openUnfolded(page, '/profile')
    const form = page.getByRole('form', { name: 'About you', exact: true })
    await form.getByLabel('Short bio').fill('I count ducks.')
    for (const [status, words] of [
      [429, 'Wait 20 seconds, then retry.'],
      [413, 'This is too large.'],
    ] as const) {
      await answerActions(page, (route) =>
        route.fulfill({ status, headers: { 'retry-after': '20' }, contentType: 'text/html', body: 'No' }),
      )
      await form.getByRole('button', { name: status === 429 ? 'Save' : 'Retry' }).click()
      await expect(form.getByRole('alert')).toContainText(words)
      await expect(form.getByLabel('Short bio')).toHaveValue('I count ducks.')
      await page.unroute('**/*')
    }
    await form.getByRole('button', { name: 'Retry' }).click()
    await expect(form.getByText('Saved.')).toBeVisible()
  })

  test('is sent although the host keeps the probe from the public', async ({ ownPage: page, complaints }) => {
    complaints.expect(/status of 403/)
    await page.route('**/healthz', (route) => route.fulfill({ status: 403, body: 'Forbidden' }))
    await openUnfolded(page, '/profile')
    const form = page.getByRole('form', { name: 'About you', exact: true })
    await form.getByLabel('Short bio').fill('I count ducks.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Saved.')).toBeVisible()
  })

  test('gives back what was typed when an update of Beak replaces the page', async ({
    ownPage: page,
    complaints,
  }) => {
    complaints.expect(/ERR_CONNECTION_RESET/)
    await openUnfolded(page, '/profile')
    const form = page.getByRole('form', { name: 'About you', exact: true })
    await form.getByLabel('Short bio').fill('Half a sentence')
    await answerActions(page, (route) => route.abort('connectionreset'))
    // Next answers a refresh by another build with a new load of the document.
    await page.route('**/*', (route) =>
      'rsc' in route.request().headers()
        ? route.fulfill({ contentType: 'text/html', body: '<p>Another build</p>' })
        : route.fallback(),
    )
    const loaded = page.waitForEvent('load')
    await form.getByRole('button', { name: 'Save' }).click()
    await loaded
    await page.unroute('**/*')
    await expect(
      page.getByText("We don't know whether this was sent. Check before you send it again."),
    ).toBeFocused()
    await expect(form.getByLabel('Short bio')).toHaveValue('Half a sentence')
  })

  test('registers one agent and adds one webhook when the answer is lost', async ({
    ownPage: page,
    person,
    server,
    complaints,
  }) => {
    complaints.expect(/ERR_CONNECTION_RESET/)
    for (const one of cases.filter(({ label }) => ['Register an agent', 'Add a webhook'].includes(label))) {
      await open(page, one.path)
      const form = formOf(page, one)
      await fill(form, one, person)
      await loseAnswers(page)
      await form.getByRole('button', { name: one.submit }).click()
      await expect(form.getByRole('alert')).toContainText(noAnswer)
      await page.unroute('**/*')
      await form.getByRole('button', { name: 'Retry' }).click()
      await expect(page.getByText(one.done).first()).toBeVisible()
    }
    const agents = await send(server, 'GET /beak/agent/list', { token: person.token })
    const webhooks = await send(server, 'GET /beak/webhook/list', { token: person.token })
    expect([agents.body.items.length, webhooks.body.items.length]).toEqual([1, 1])
  })
})

const ask = (server: Server, { key }: Agent, target: Person, action: string) =>
  send(server, 'POST /beak/peck/request', {
    key,
    body: { target_duckling_id: target.id, action, scope: 'limited' },
  })

const live = (page: Page) => page.locator('[data-connection]')

test.describe('the inbox', () => {
  test('disables decisions, keeps the keys and says "Reconnecting" while offline, and goes on afterwards', async ({
    ownPage: page,
    person,
    server,
    scout,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    for (const action of ['feed:ducks', 'read:calendar', 'read:files'])
      await ask(server, scout, person, action)
    await openInbox(page)
    const [first = ''] = await page
      .locator('[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.textContent))
    const card = page.getByRole('region', { name: 'Selected request' })
    await page.context().setOffline(true)
    await expect(live(page)).toHaveText(/Reconnecting/)
    const approve = inbox.approve(card)
    await expect(approve).toHaveAttribute('aria-disabled', 'true')
    await expect(approve).toHaveAccessibleDescription(/You're offline. You can decide when you're back./)
    await approve.click({ force: true })
    for (const key of ['j', 'k', 'a', 'r', 'j']) await page.keyboard.press(key)
    await expect(page.locator('[data-row]')).toHaveCount(3)
    await expect(page.locator('[data-row]').first()).toContainText(first.slice(0, 8))
    expect(new URL(page.url()).pathname).toBe('/pecks')
    const { body } = await send(server, 'GET /beak/peck/inbox', { token: person.token })
    expect(body.items).toHaveLength(3)
    await page.context().setOffline(false)
    await expect(live(page)).toHaveText('Live')
    await expect(inbox.approve(card)).toHaveAttribute('aria-disabled', 'false')
    await inbox.approve(card).click()
    await expect(page.getByText(/^Approved: /)).toBeVisible()
  })

  test('shows the decision buttons above the notice on a phone without a network', async ({
    ownPage: page,
    person,
    server,
    scout,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    await page.setViewportSize({ width: 390, height: 780 })
    const { body } = await ask(server, scout, person, 'feed:ducks')
    await open(page, `/pecks/${body.peck_id}`)
    await page.context().setOffline(true)
    const notice = page.getByText(/You can keep reading and typing/)
    await expect(notice).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    const approve = page.getByRole('button', { name: 'Approve' })
    await expect
      .poll(async () => {
        const [button, above] = [await approve.boundingBox(), await notice.boundingBox()]
        return button !== null && above !== null && button.y + button.height <= above.y
      })
      .toBe(true)
    await page.context().setOffline(false)
  })

  test('says that an undo was not sent, and undoes when it is tried again', async ({
    ownPage: page,
    person,
    server,
    scout,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_RESET|ERR_FAILED/)
    for (const action of ['feed:ducks', 'read:calendar']) await ask(server, scout, person, action)
    await openInbox(page)
    const card = page.getByRole('region', { name: 'Selected request' })
    await inbox.rejectNow(card).click()
    await expect(page.getByText(/^Rejected: /)).toBeVisible()
    await page.route('**/*', (route) =>
      isAction(route.request().headers()) || route.request().url().endsWith('/healthz')
        ? route.abort('connectionreset')
        : route.fallback(),
    )
    await page.locator('[data-undo]').click()
    await expect(page.getByText('Not undone.')).toBeVisible()
    await page.unroute('**/*')
    await page.locator('[data-undo]').click()
    await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
    const { body } = await send(server, 'GET /beak/peck/inbox', { token: person.token })
    expect(body.items).toHaveLength(2)
  })

  test('repeats a part of several decisions whose answer is lost, counts once, and lets it be undone', async ({
    ownPage: page,
    person,
    server,
    scout,
    complaints,
  }) => {
    complaints.expect(/ERR_CONNECTION_RESET/)
    for (const action of ['feed:ducks', 'read:calendar']) await ask(server, scout, person, action)
    await openInbox(page)
    await inbox.selectAll(page).check()
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog')
    await loseAnswers(page)
    await dialog.getByRole('button', { name: 'Reject 2 requests' }).click()
    await expect(dialog.getByText("we don't know whether these were decided")).toBeFocused()
    // The keys of the page do nothing below the dialog.
    for (const key of ['a', 'j', 'Enter', 'x']) await page.keyboard.press(key)
    await page.unroute('**/*')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Rejected: 2 requests.')).toBeVisible()
    await page.locator('[data-undo]').click()
    await expect(page.getByText('Undone. 2 requests wait again.')).toBeVisible()
  })

  test('sends no rejection after the network is lost, even when an answer arrives that was on its way', async ({
    ownPage: page,
    person,
    server,
    scout,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    const { body: asked } = await ask(server, scout, person, 'feed:ducks')
    await open(page, `/pecks/${asked.peck_id}`)
    await expectLive(page)
    const { answered } = await holdRefresh(page)
    await ask(server, scout, person, 'read:calendar')
    const letArrive = await answered
    await page.getByText('Reject with a reason …').click()
    await page.context().setOffline(true)
    await expect(live(page)).toHaveText(/Reconnecting/)
    const refreshed = page.waitForResponse((answer) => isRefresh(answer.request()))
    await letArrive()
    await refreshed
    await page.getByRole('button', { name: 'Reject request' }).click()
    await expect(page.getByText(notSent)).toBeVisible()
    const { body } = await send(server, `GET /beak/peck/status?peck_id=${asked.peck_id}`, {
      token: person.token,
    })
    expect(body.status).toBe('pending')
  })

  test('keeps the page when a rejection with a reason loses its answer, and rejects once', async ({
    ownPage: page,
    person,
    server,
    scout,
    asker,
    complaints,
  }) => {
    complaints.expect(/ERR_CONNECTION_RESET|ERR_INTERNET_DISCONNECTED/)
    const { body: asked } = await ask(server, scout, person, 'feed:ducks')
    await open(page, `/pecks/${asked.peck_id}`)
    await expectLive(page)
    await page.getByText('Reject with a reason …').click()
    await page.getByLabel('Your own reason').fill('Not today, thank you.')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Reject request' }).click()
    await expect(page.getByText(notSent)).toBeVisible()
    await expect(page.getByLabel('Your own reason')).toHaveValue('Not today, thank you.')
    await page.context().setOffline(false)
    await expectLive(page)
    const lost = await loseAnswers(page)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(lost).toBe(1)
    // The page reads again what the service knows: the rejection, once its undo is over.
    await block(server, person, asker)
    await expect(page.getByText('Reason: “Not today, thank you.”').first()).toBeVisible()
    const { body } = await send(server, `GET /beak/peck/status?peck_id=${asked.peck_id}`, {
      token: person.token,
    })
    expect(body).toMatchObject({ status: 'rejected', reason: 'Not today, thank you.' })
  })
})

test.describe('a page', () => {
  test('stays when a link leads nowhere because the browser is offline, and opens the link later', async ({
    ownPage: page,
    complaints,
  }) => {
    complaints.expect(/ERR_INTERNET_DISCONNECTED/)
    await openUnfolded(page, '/profile')
    await page.getByLabel('Short bio').fill('Half a sentence')
    await page.context().setOffline(true)
    for (const name of ['Activity', 'Download my data']) {
      const found = link(page, name).first()
      if ((await found.count()) > 0) await found.click()
    }
    const notice = page.getByText("You're offline. Can't open this page.")
    await expect(notice).toBeVisible()
    await expect(page.getByLabel('Short bio')).toHaveValue('Half a sentence')
    expect(new URL(page.url()).pathname).toBe('/profile')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.waitForURL('**/audit')
  })

  test('says that the session ended in another window', async ({ ownPage: page, complaints }) => {
    complaints.expect(/status of 401/)
    await openInbox(page)
    const other = await page.context().newPage()
    await open(other, '/home')
    await signIn.signOut(other)
    await other.waitForURL('**/signed-out')
    await page.waitForURL('**/signin**')
    await expect(page.getByText('You signed out in another window.')).toBeVisible()
    await expect(other.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  })

  test('says whose account it is when a request is not theirs, in the same words as for a missing one', async ({
    ownPage: page,
    person,
    complaints,
    server,
    scout,
    asker,
  }) => {
    complaints.expect(/404/)
    const missing = 'PECK-00000000000000000000000000'
    expect(await open(page, `/pecks/${missing}`)).toBe(404)
    await expect(
      page.getByText(`This request isn't yours or no longer exists. You are signed in as ${person.name}.`),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open your inbox' })).toBeVisible()
    const body = { target_duckling_id: asker.id, action: 'read:diary', scope: 'limited' }
    const { peck_id } = (await send(server, 'POST /beak/peck/request', { key: scout.key, body })).body
    const mainOf = async (id: string) => {
      const answer = await page.request.get(`/pecks/${id}`)
      const main = /<main[\s\S]*<\/main>/.exec(await answer.text())?.[0] ?? ''
      return { status: answer.status(), main: main.replaceAll(id, '') }
    }
    const found = await mainOf(peck_id)
    expect(found).toEqual(await mainOf(missing))
    expect(found.main).toContain('Request not found')
  })
})

test('keeps every page and its input while the service restarts', async ({ start, browser }) => {
  test.setTimeout(120_000)
  const [port, dataDir] = [await freePort(), newDataDir()]
  const before = await start({ port, dataDir })
  const [person, target] = [await aPerson(before, 'Mallard'), await aPerson(before, 'Teal')]
  const scout = await aBondedAgent(before, target)
  await ask(before, scout, person, 'feed:ducks')
  await ask(before, scout, person, 'read:calendar')
  const context = await browser.newContext({ baseURL: before.url })
  await signInAs(context, before, person)
  const tabs: { page: Page; form: Locator; one: FormCase }[] = []
  for (const one of cases.filter(({ isPublic }) => !isPublic)) {
    const page = await context.newPage()
    await openUnfolded(page, one.path)
    const form = formOf(page, one)
    await fill(form, one, target)
    tabs.push({ page, form, one })
  }
  const list = await context.newPage()
  await openInbox(list)

  await before.stop('SIGKILL')
  await list.bringToFront()
  await expect(live(list)).toHaveText(/Reconnecting/)
  for (const key of ['j', 'j', 'k']) await list.keyboard.press(key)
  await link(list, 'Activity').first().click()
  await expect(list.getByText("Beak can't be reached. Can't open this page.")).toBeVisible()
  await expect(list.locator('[data-row]')).toHaveCount(2)
  expect(new URL(list.url()).pathname).toBe('/pecks')
  for (const { page, form, one } of tabs) {
    await page.bringToFront()
    await form.getByRole('button', { name: one.submit }).click()
    await expect(form.getByRole('alert')).toContainText(notSent)
    await expectKept(form, one)
  }

  await start({ port, dataDir })
  for (const { page, form, one } of tabs) {
    await page.bringToFront()
    await form.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByText(one.done).first()).toBeVisible()
  }
  await list.bringToFront()
  await expect(live(list)).toHaveText('Live')
  await list.getByRole('button', { name: 'Retry' }).click()
  await list.waitForURL('**/audit')
  await context.close()
})
