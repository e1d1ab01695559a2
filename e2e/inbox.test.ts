/** The inbox of pecks in a browser, with an agent that asks over the API. */
import { readFileSync } from 'node:fs'
import { checkReceipt } from '@beak/proofs/receipts/verify'
import type { Page } from '@playwright/test'
import { randomPhone } from '@/lib/fixtures/accounts'
import { addPasskey, button, expectAccessible, expectFocusOn, expectText, link, open } from './browser'
import { expectLive, inbox, openInbox } from './controls/inbox'
import { expect, test } from './fixtures'
import { aPerson, block, confirmPhone } from './people'
import { send } from './server'

const focusIsOnBody = (page: Page) => page.evaluate(() => document.activeElement === document.body)

test.describe('a peck that arrives while the inbox is open', () => {
  test('appears within a second in the list, the title and the navigation, and does not move the focus', {
    tag: '@changed',
  }, async ({ ownPage: page, ask, person, server }) => {
    // The navigation counts only askers of whom something was approved.
    const body = { peck_id: await ask('read:profile') }
    await send(server, 'POST /beak/peck/approve', { token: person.token, body })
    await openInbox(page)
    await expect(inbox.isEmpty(page)).toBeVisible()
    const milliseconds: number[] = []
    // One fast arrival is enough, because other work on a busy machine may delay some.
    for (const what of ['email', 'letter', 'file', 'message', 'invoice']) {
      await ask(`send:${what}`, { to: 'pond@example.com' })
      const answered = performance.now()
      await inbox.row(page, `send:${what}`).waitFor()
      milliseconds.push(performance.now() - answered)
      if ((milliseconds.at(-1) ?? 0) < 1000) break
    }
    expect(Math.min(...milliseconds)).toBeLessThan(1000)
    const count = milliseconds.length
    await expect(page).toHaveTitle(new RegExp(`^\\(${count}\\) Inbox`))
    await expect(link(page, `Inbox ${count} waiting`)).toBeVisible()
    expect(await focusIsOnBody(page)).toBe(true)
    await expect(
      page
        .getByRole('status')
        .filter({ hasText: /New request\. .*“Scout”, an agent of Teal \(….{4}\), wants to/ }),
    ).not.toHaveCount(0)
    await expect(inbox.card(page, 'send:email').getByText('pond@example.com').first()).toBeVisible()
    await expect(inbox.row(page, 'send:email')).toContainText('pond@example.com')
    await expectAccessible(page)
  })

  test('is held back while the person uses the list, and typed text is kept', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
  }) => {
    await ask('read:note')
    await openInbox(page)
    const first = inbox.card(page, 'read:note')
    await inbox.reject(first).click()
    const reason = inbox.reason(first)
    await reason.fill('I would rather not')
    const row = inbox.row(page, 'read:note')
    await row.hover()
    const before = await row.boundingBox()
    await ask('read:calendar')
    const bar = button(page, 'Show 1 new request')
    await expect(bar).toBeVisible()
    const second = inbox.row(page, 'read:calendar')
    await expect(second).toHaveCount(0)
    expect(await row.boundingBox()).toEqual(before)
    await expect(reason).toHaveValue('I would rather not')
    await expect(reason).toBeFocused()
    await bar.click()
    await expect(second).toBeVisible()
    await expect(reason).toHaveValue('I would rather not')
  })

  test('is found by polling when there is no stream', async ({ ownPage: page, ask, complaints }) => {
    complaints.expect(/ERR_FAILED/)
    await page.route('**/api/pecks/stream', (route) => route.abort())
    await open(page, '/pecks')
    await expect(page.locator('[data-connection="polling"]')).toBeAttached()
    await ask('feed:ducks')
    await expect(inbox.row(page, 'feed:ducks')).toBeVisible()
  })
})

test('the stream of the pages is open only to signed-in people on our own pages', async ({
  person,
  server,
}) => {
  expect((await fetch(`${server.url}/api/pecks/stream`)).status).toBe(401)
  const headers = { Cookie: `beak.session=${person.token}`, 'Sec-Fetch-Site': 'same-site' }
  expect((await fetch(`${server.url}/api/pecks/stream`, { headers })).status).toBe(403)
})

test.describe('an answer', () => {
  test('that approves reaches the waiting agent, whose grant then works once', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
    server,
  }) => {
    const peckId = await ask('book:train', { to: 'Lake' })
    await openInbox(page)
    const waiting = seenBy(peckId, 30)
    const request = inbox.card(page, 'book:train')
    await inbox.duration(request).selectOption({ label: '5 minutes' })
    await inbox.approve(request).click()
    await expect(request.locator(':focus')).toContainText('Approved.')
    const seen = await waiting
    expect(seen).toMatchObject({ status: 'approved', grant_status: 'active' })
    expect(Date.parse(seen.grant_expires_at ?? '') - Date.parse(seen.decided_at ?? '')).toBe(300_000)
    const consume = () =>
      send(server, 'POST /beak/peck/consume', {
        body: { grant_token: seen.grant_token, params: { to: 'Lake' } },
      })
    expect((await consume()).status).toBe(200)
    expect((await consume()).status).toBe(409)
    await expect(page).toHaveTitle(/^Inbox/)
    await expect(inbox.row(page, 'book:train')).toContainText('Approved')
  })

  test('that rejects can be undone, and the request waits again', async ({ ownPage: page, ask, seenBy }) => {
    const [peckId] = [await ask('transfer:money'), await ask('read:diary')]
    await openInbox(page)
    await inbox.row(page, 'transfer:money').click()
    await inbox.rejectNow(inbox.card(page, 'transfer:money')).click()
    await expect(page.getByText(/^Rejected: /)).toBeVisible()
    await expect(inbox.row(page, 'transfer:money')).toContainText('Rejected')
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
    await inbox.undo(page).click()
    await expect(page.getByText('Undone. The request waits again.')).toBeVisible()
    await inbox.row(page, 'transfer:money').click()
    await expect(
      inbox
        .approve(inbox.card(page, 'transfer:money'))
        .or(inbox.holdToApprove(inbox.card(page, 'transfer:money'))),
    ).toBeVisible()
  })

  test('can be given later, and the request comes back without a reload', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
    person,
    server,
  }) => {
    const peckId = await ask('read:diary')
    await openInbox(page)
    await page.keyboard.press('e')
    const request = inbox.card(page, 'read:diary')
    await expect(inbox.inAnHour(request)).toBeFocused()
    await expectAccessible(page)
    await inbox.inAnHour(request).click()
    await expect(request.getByText(/^Later\. It comes back/)).toBeVisible()
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending', decided_at: null })
    await open(page, '/pecks')
    await expect(inbox.isEmpty(page).first()).toBeVisible()
    await expectLive(page)
    await page.getByRole('link', { name: 'Later: 1' }).click()
    await expect(page.getByText(/^You put this off/)).toBeVisible()
    await open(page, '/pecks')
    await expectLive(page)
    // The hour is over in two seconds.
    await send(server, 'POST /beak/peck/snooze', {
      token: person.token,
      body: { peck_id: peckId, until: new Date(Date.now() + 2_000).toISOString() },
    })
    await expect(inbox.row(page, 'read:diary')).toBeVisible()
  })

  test('that rejects with a reason of its own needs one', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    seenBy,
    asker,
    person,
    server,
  }) => {
    const peckId = await ask('transfer:money')
    await openInbox(page)
    const request = inbox.card(page, 'transfer:money')
    await inbox.reject(request).click()
    await inbox.confirmReject(request).click()
    await expect(request.getByText('Pick a reason or write your own.')).toBeVisible()
    await expectAccessible(page)
    await request.getByLabel("I didn't ask for this.").check()
    await inbox.confirmReject(request).click()
    await expect(request.getByText(/^Rejected\./)).toBeVisible()
    const decided = { status: 'rejected', reason: "I didn't ask for this." }
    expect(await seenBy(peckId)).toMatchObject({ status: 'pending' })
    await block(server, person, asker)
    expect(await seenBy(peckId)).toMatchObject(decided)
  })

  test('has no button that is focused initially', async ({ ownPage: page, ask }) => {
    await ask('open:gate')
    for (const path of ['/home', '/pecks', `/pecks/${await ask('close:gate')}`]) {
      await open(page, path)
      await expectLive(page)
      expect([path, await focusIsOnBody(page)]).toEqual([path, true])
    }
  })

  test('from another page replaces the request in the list', { tag: '@changed' }, async ({
    ownPage: page,
    ask,
    person,
    server,
  }) => {
    const peckId = await ask('paint:fence')
    await openInbox(page)
    await send(server, 'POST /beak/peck/reject', {
      token: person.token,
      body: { peck_id: peckId, reason: 'No' },
    })
    const request = inbox.card(page, 'paint:fence')
    await expect(request.getByText('Already rejected')).toBeVisible()
    await expect(inbox.row(page, 'paint:fence')).toContainText('Already rejected')
    await expect(inbox.approve(request)).toHaveCount(0)
  })

  test('that comes too late shows how the request was answered', async ({
    ownPage: page,
    ask,
    person,
    complaints,
    server,
  }) => {
    complaints.expect(/ERR_FAILED/)
    const peckId = await ask('water:plants')
    await page.route('**/api/pecks/stream', (route) => route.abort())
    // Answers the request while the click is being sent, so the page does not know of the answer.
    await page.route('**/pecks', async (route) => {
      if (route.request().method() === 'POST')
        await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id: peckId } })
      await route.continue()
    })
    await open(page, '/pecks')
    const request = inbox.card(page, 'water:plants')
    await inbox.approve(request).click()
    await expect(request.getByText('Already approved')).toBeVisible()
  })
})

test.describe('a standing permission', () => {
  test('needs a passkey, stays pending when the prompt is closed, and has a valid receipt', {
    tag: '@changed',
  }, async ({ ownPage: page, ask, seenBy, person, passkeys, server }) => {
    await confirmPhone(server, person, randomPhone())
    const peckId = await ask('read:status', {}, { scope: 'standing' })
    await openInbox(page)
    const request = inbox.card(page, 'read:status')
    await expect(request.getByRole('link', { name: 'Add a passkey' })).toBeVisible()
    await expect(inbox.approve(request)).toHaveCount(0)

    await addPasskey(server, person, passkeys)
    await openInbox(page)
    const approve = inbox.approveWithPasskey(request)
    await passkeys.confirm(false)
    await approve.click()
    await expect(request.getByText('The passkey prompt was closed')).toBeVisible()
    expect((await seenBy(peckId)).status).toBe('pending')

    await passkeys.confirm(true)
    await approve.click()
    await expect(inbox.approvedByPasskey(request)).toBeVisible()
    const downloading = page.waitForEvent('download')
    await inbox.receipt(request).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`beak-receipt-${peckId}.json`)
    const jwks = await (await fetch(`${server.url}/.well-known/jwks.json`)).json()
    const verdict = await checkReceipt(JSON.parse(readFileSync(await download.path(), 'utf8')), jwks)
    expect(verdict).toMatchObject({
      ok: true,
      facts: { statement: { peck_id: peckId, scope: 'standing' }, passkey: { verifiedUser: true } },
    })

    await open(page, '/allowed')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke permission' }).click()
    await expectFocusOn(page, /^Permission revoked\.$/)
    await expectText(page, 'So far, everything asks you first')
    expect(await seenBy(peckId)).toMatchObject({ grant_status: 'revoked' })
  })
})

test.describe('a blocked asker', () => {
  test('is listed, cannot send requests to the person, and can be unblocked', async ({
    ownPage: page,
    ask,
    person,
    server,
  }) => {
    await ask('sell:rolls')
    await ask('sell:bread')
    await openInbox(page)
    const request = inbox.card(page, 'sell:bread')
    await inbox.reject(request).click()
    await inbox.reason(request).fill('Enough.')
    await request.getByLabel('Also block Teal').check()
    await inbox.confirmReject(request).click()
    await expect(request.getByText('Rejected. Teal is blocked.')).toBeVisible()
    await request.getByRole('button', { name: 'Undo block' }).click()
    await expect(
      request.getByText('Unblocked. Their requests reach you again. 1 waiting request is back.'),
    ).toBeVisible()
    await open(page, '/pecks')
    const other = inbox.card(page, 'sell:rolls')
    await inbox.reject(other).click()
    await inbox.reason(other).fill('Enough.')
    await other.getByLabel('Also block Teal').check()
    await inbox.confirmReject(other).click()
    await expect(other.getByText('Rejected. Teal is blocked.')).toBeVisible()
    await ask('sell:crumbs')
    await open(page, '/pecks')
    await expect(inbox.isEmpty(page)).toBeVisible()
    await open(page, '/pecks/blocked')
    await button(page, 'Unblock').click()
    await expectText(page, 'Nobody is blocked')
    const peckId = await ask('sell:seeds')
    await open(page, '/pecks')
    await expect(inbox.row(page, 'sell:seeds')).toBeVisible()
    await send(server, 'POST /beak/peck/approve', { token: person.token, body: { peck_id: peckId } })
    await open(page, `/pecks/${peckId}`)
    await button(page, 'Block Teal').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
    await expectText(page, 'Teal is blocked.')
    await expectFocusOn(page, /^Blocked\. Their requests no longer reach you\.$/)
  })
})

test('a person who sends a request sees errors beside the fields, and the grant token after the approval', {
  tag: '@changed',
}, async ({ ownPage: page, server }) => {
  const friend = await aPerson(server, 'Friend')
  await open(page, '/pecks/new/action')
  await page.getByLabel('To', { exact: true }).fill('friend')
  await page.getByLabel('Name of line 1').fill('week')
  await page.getByLabel('Value of line 1').fill('12')
  await button(page, 'Edit as JSON').click()
  const [action, json] = [page.getByLabel('Action'), page.getByLabel('Details as JSON')]
  await expect(json).toHaveValue('{\n  "week": 12\n}')
  await action.fill('Read my diary')
  await json.fill('{week: 12}')
  await button(page, 'Send request').click()
  await page.getByRole('radio', { name: friend.id.slice(-4) }).check()
  await button(page, 'Send request').click()
  await expectText(page, 'Must have the form verb:object')
  await expectText(page, 'Must be a JSON object')
  await expect(json).toHaveValue('{week: 12}')
  await expectAccessible(page)
  await action.fill('read:diary')
  await json.fill('{"week": 12, "note": "no"}')
  await button(page, 'Edit as JSON').click()
  await expect(page.getByLabel('Value of line 2')).toHaveValue('no')
  await button(page, 'Send request').click()
  await page.waitForURL(/\/pecks\/PECK-/)
  await expectLive(page)
  const peckId = new URL(page.url()).pathname.slice('/pecks/'.length)
  const [sent] = (await send(server, 'GET /beak/peck/inbox', { token: friend.token })).body.items
  expect(sent.peck_id).toBe(peckId)
  await send(server, 'POST /beak/peck/approve', { token: friend.token, body: { peck_id: peckId } })
  await expectText(page, 'Grant token')
  await expect(button(page, 'Copy token')).toBeVisible()
  await expectAccessible(page)
})
