/** Approvals that only a passkey can give: the code of a service, passkeys that vouch for each other, and receipts with kept passkeys. */
import { verifyOutcome } from '@beak/client/verify'
import { codeDigest } from '@beak/proofs/receipts/decision-statement'
import type { DecisionProof3, OutcomeFile } from '@beak/proofs/receipts/outcome-schema'
import type { Page } from '@playwright/test'
import { key, makeReceipt } from '@/lib/fixtures/receipt-maker'
import { approver, signedParts3 } from '@/lib/fixtures/signed-parts'
import {
  addPasskey,
  button,
  expectAccessible,
  expectFocusOn,
  expectText,
  heading,
  open,
  openUnfolded,
  sidewaysOf,
} from './browser'
import { security } from './controls/account'
import { inbox, openInbox } from './controls/inbox'
import { test as base, expect } from './fixtures'
import { send } from './server'

const [code, salt] = ['483920', 'c2FsdCBvZiB0aGUgc2hvcA']
const codeHash = codeDigest(salt, code)

const test = base.extend<{ receiptOf: (peckId: string) => Promise<OutcomeFile> }>({
  receiptOf: async ({ server, person }, use) =>
    use(async (peckId) => {
      const { token } = person
      return (await send(server, `GET /beak/peck/outcome?peck_id=${peckId}`, { token })).body
    }),
})

const main = (page: Page) => page.getByRole('main')

test.describe('a request with the code of a service', () => {
  test('is approved with the six digits, which the passkey signs and the receipt has', {
    tag: '@changed',
  }, async ({ ownPage: page, passkeys, person, server, ask, statusOf, receiptOf }) => {
    await addPasskey(server, person, passkeys)
    const terms = { audience: 'shop.example', challenge: 'order-17', code_hash: codeHash }
    const peckId = await ask('read:calendar', {}, terms)
    await open(page, `/pecks/${peckId}`)
    await expectText(page, 'The service that will act accepts only an approval signed with a passkey.')
    const field = main(page).getByLabel('The code that shop.example shows you')
    await expect(field).toHaveAttribute('autocomplete', 'off')
    const approve = inbox.approveWithPasskey(main(page))
    await approve.click()
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/Type the six digits that the service shows you\./)
    await expectAccessible(page)
    await field.pressSequentially('48 3x')
    await field.press('Enter')
    await expect(field).toHaveAccessibleDescription(/you typed 3\. Type all six\./)
    await expect(field).toHaveValue('483')
    await field.pressSequentially('920')
    await expect(field).not.toHaveAttribute('aria-invalid')

    await passkeys.confirm(false)
    await approve.click()
    await expect(main(page).getByText('The passkey prompt was closed')).toBeVisible()
    await expect(field).toHaveValue(code)
    expect(await statusOf(peckId)).toBe('pending')

    await passkeys.confirm(true)
    await field.press('Enter')
    await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
    const receipt = await receiptOf(peckId)
    const policy = { issuer: server.url, require: 'signed', audience: 'shop.example' } as const
    const expected = { ...policy, challenge: 'order-17', code: { code, salt } }
    expect(await verifyOutcome(receipt, expected)).toMatchObject({
      ok: true,
      facts: { statement: { version: 3, code: { hash: codeHash, typed: code } } },
    })
    const other = { ...expected, code: { code: '000000', salt } }
    expect(await verifyOutcome(receipt, other)).toMatchObject({ ok: false, fault: { reason: 'code' } })
  })

  test('is usable on a phone: the field is above the buttons, and nothing is wider than the screen', async ({
    newPage,
    person,
    server,
    ask,
    passkeys,
  }) => {
    await addPasskey(server, person, passkeys)
    const audience = `${'very-long-name-of-a-shop.'.repeat(4)}example`
    const peckId = await ask('read:calendar', {}, { audience, code_hash: codeHash })
    const page = await newPage({
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
      as: person,
    })
    await open(page, `/pecks/${peckId}`)
    const field = inbox.serviceCode(main(page))
    await inbox.approveWithPasskey(main(page)).tap()
    await expect(field).toBeFocused()
    const bar = await page.locator('[data-decision-bar]').boundingBox()
    const box = await field.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    expect(await sidewaysOf(page)).toBe(0)
    // Further up, the bar covers a part of the controls.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expectAccessible(page)
  })

  test('opens in the inbox: the shortcut leads to the field, and never approves', async ({
    ownPage: page,
    passkeys,
    person,
    server,
    ask,
    statusOf,
  }) => {
    await addPasskey(server, person, passkeys)
    const peckId = await ask('read:calendar', {}, { code_hash: codeHash })
    await openInbox(page)
    const card = inbox.card(page, 'read:calendar')
    await expect(card).toBeVisible()
    await page.keyboard.press('a')
    await expect(inbox.serviceCode(card)).toBeFocused()
    expect(await statusOf(peckId)).toBe('pending')
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(inbox.approvedByPasskey(card)).toBeVisible()
    expect(await statusOf(peckId)).toBe('approved')
  })
})

test('a request that demands a signature is not approved without the passkey, wherever the person tries', async ({
  ownPage: page,
  passkeys,
  person,
  server,
  ask,
  statusOf,
}) => {
  const { token } = person
  // From the second approval on, requests of this asker could be approved together.
  const first = await ask('read:diary')
  await send(server, 'POST /beak/peck/approve', { token, body: { peck_id: first } })
  const peckId = await ask('read:calendar', {}, { require: 'signed' })
  const refused = await send(server, 'POST /beak/peck/approve', { token, body: { peck_id: peckId } })
  expect(refused.status).toBe(403)

  await openInbox(page)
  const card = inbox.card(page, 'read:calendar')
  await expect(card.getByRole('link', { name: 'Add a passkey' })).toBeVisible()
  await expect(inbox.approve(card)).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(card.getByRole('link', { name: 'Add a passkey' })).toBeFocused()

  await addPasskey(server, person, passkeys)
  await passkeys.confirm(false)
  await openInbox(page)
  await expect(inbox.approveWithPasskey(card)).toBeVisible()
  await expect(inbox.approveWithoutPasskey(card)).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(card.getByText('The passkey prompt was closed')).toBeVisible()

  await inbox.rows(page).first().getByRole('checkbox').check()
  await button(page, 'Approve …').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'Open it to decide' })).toContainText('Needs your passkey')
  await expect(dialog.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Page, action, agent or request' })
  await search.fill('reject')
  await expect(page.getByRole('option', { name: /^Reject/ }).first()).toBeVisible()
  await search.fill('approve')
  await expect(page.getByRole('option', { name: /^Approve/ })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await open(page, `/pecks/${peckId}`)
  await expect(inbox.approveWithoutPasskey(main(page))).toHaveCount(0)
  await inbox.approveWithPasskey(main(page)).click()
  await expect(main(page).getByText('The passkey prompt was closed')).toBeVisible()
  expect(await statusOf(peckId)).toBe('pending')
  await passkeys.confirm(true)
  await inbox.approveWithPasskey(main(page)).click()
  await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
})

test('an older passkey vouches for a newer one, whose receipts are then pinned by the older one', async ({
  ownPage: page,
  passkeys,
  person,
  server,
  ask,
  receiptOf,
}) => {
  await addPasskey(server, person, passkeys)
  await send(server, 'POST /beak/profile/update', { token: person.token, body: { builder: true } })
  await openUnfolded(page, '/security')
  await expect(security.endorse(page)).toHaveCount(0)
  await security.passkeyName(page).fill('New phone')
  await security.addPasskey(page).click()
  // The older passkey has confirmed the session, and is on this device.
  await expectText(page, 'You already have a passkey on this device.')
  const bringBackOlder = await passkeys.takeAway()
  await security.addPasskey(page).click()
  await expectText(page, `New phone ${security.passkeyAdded}`)
  const bringBackNewer = await passkeys.takeAway()
  await bringBackOlder()

  await expect(page.getByText(/^When an older passkey vouches for a newer one/).last()).toBeVisible()
  await expect(security.endorse(page)).toHaveCount(1)
  await passkeys.confirm(false)
  await security.endorse(page).click()
  await expectText(page, 'The passkey prompt was closed. Nothing was changed.')
  await expectAccessible(page)
  await openUnfolded(page, '/security')
  await expect(security.endorse(page)).toHaveCount(1)
  await passkeys.confirm(true)
  await security.endorse(page).click()
  await expectFocusOn(page, /^An older passkey now vouches for New phone\.$/)
  await expectText(page, 'An older passkey vouches for it.')
  await expect(security.endorse(page)).toHaveCount(0)

  await bringBackNewer()
  const peckId = await ask('read:calendar', {}, { challenge: 'order-18' })
  await open(page, `/pecks/${peckId}`)
  await inbox.approveWithPasskey(main(page)).click()
  await expect(inbox.approvedByPasskey(main(page))).toBeVisible()
  const receipt = await receiptOf(peckId)
  const [older] = (receipt.passkey as DecisionProof3).endorsements

  await open(page, '/receipts')
  await page.getByLabel('Receipt text').fill(JSON.stringify(receipt))
  await button(page, 'Check receipt').click()
  await expect(heading(page, 'Signed with a passkey: approved')).toBeVisible()
  const document = page.getByRole('article')
  await expect(document.getByText('order-18')).toBeVisible()
  await expect(document).toContainText('Vouched for by')
  await expect(document.getByText(older?.credential_id ?? '-')).toBeVisible()
  await page.getByText('Check with keys or passkeys that I kept, and with witnesses').click()
  const pins = page.getByLabel('Passkeys of the person, that you kept')
  const check = button(page, 'Check with these keys')
  await pins.fill(older?.credential_id ?? '')
  await check.click()
  await expect(
    page.getByRole('alert').filter({ hasText: "Passkey 1 isn't credential_id:public_key" }),
  ).toBeVisible()
  await pins.fill(`${older?.credential_id}:${older?.public_key}`)
  await check.click()
  await expect(heading(page, 'Signed with a passkey that you have pinned: approved')).toBeVisible()
  await expectAccessible(page)
  // Another passkey is no pin of this person.
  await pins.fill(`${older?.credential_id}:pQECAyYgASFYIA`)
  await check.click()
  await expect(heading(page, 'Signed with a passkey: approved')).toBeVisible()
})

test('a receipt of a person who exists only for tests says so first', async ({ page }) => {
  const parts = await signedParts3({ test: true, approver })
  await open(page, '/receipts')
  await page.getByLabel('Receipt text').fill(JSON.stringify(makeReceipt(parts)))
  await button(page, 'Check receipt').click()
  await page.getByLabel("The service's keys").fill(JSON.stringify({ keys: [key.jwk] }))
  await button(page, 'Check with these keys').click()
  await expect(heading(page, 'Only a test. Signed with a passkey: approved')).toBeVisible()
  await expectText(page, /^The person exists only for tests/)
  const document = page.getByRole('article')
  await expect(document.getByText('Only a test')).toBeVisible()
  await expect(document.getByText(approver)).toBeVisible()
})
