/** A person at their own pages: profile, security, certificate, account. */
import { readFileSync } from 'node:fs'
import { verifyAudit } from '@beak/proofs/audit/verify'
import { randomPhone } from '@/lib/fixtures/accounts'
import {
  button,
  expectFocusOn,
  expectText,
  heading,
  link,
  open,
  openUnfolded,
  unfold,
  withAuthenticator,
} from './browser'
import { account, certificate, profile, security } from './controls/account'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeIn } from './outbox'
import { anAddress, anAgent, anotherSession, aPerson, profileOf, statusOf } from './people'
import { send } from './server'

test.describe('the profile', () => {
  test('changes the name once, says when the next change is possible, and shows the refusal of a second change', {
    tag: '@changed',
  }, async ({ newPage, person, server }) => {
    // The first full name is free.
    await send(server, 'POST /beak/name-change', { token: person.token, body: { full_name: 'Smew' } })
    const [first, second] = [await newPage({ as: person }), await newPage({ as: person })]
    await openUnfolded(first, '/profile')
    await openUnfolded(second, '/profile')
    await profile.name(first).fill('Pintail')
    await profile.changeName(first).click()
    await expectText(first, 'Your name is now Pintail.')
    await expectText(first, /You can change your name again from/)
    await expect(first.getByRole('banner').getByText('Pintail').first()).toBeVisible()

    const field = profile.name(second)
    await field.fill('Gadwall')
    await profile.changeName(second).click()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(/You can change your name again from \d+ \w+ \d{4}\.$/)
    await expect(field).toHaveValue('Gadwall')
    await expect(field).toBeFocused()
    expect((await profileOf(server, person)).full_name).toBe('Pintail')
  })

  test('saves the public profile, and offers passkey-only answers only to a person with a passkey', async ({
    ownPage: page,
    person,
    server,
  }) => {
    await openUnfolded(page, '/profile')
    await profile.about(page).fill('Keeps the south bank.')
    await profile.inDirectory(page).uncheck()
    await profile.saveProfile(page).click()
    await expectText(page, profile.saved)
    expect(await profileOf(server, person)).toMatchObject({
      bio: 'Keeps the south bank.',
      directory_visible: false,
    })

    await profile.passkeyOnly(page).check()
    await profile.saveRequests(page).click()
    await expectText(page, 'Add a passkey first.')
    expect(await profileOf(server, person)).toMatchObject({ require_passkey_for_pecks: false })
  })

  test('changes the email address after the code from the new address is entered', async ({
    ownPage: page,
    person,
    server,
  }) => {
    const address = anAddress('teal')
    await openUnfolded(page, '/profile')
    await profile.newAddress(page).fill(address)
    await profile.sendCode(page).click()
    await signIn.code(page).fill('000000')
    await expectText(page, 'The code is not right or has expired.')
    await signIn.code(page).fill(await codeIn(server, address))
    await expectText(page, profile.addressChanged(address))
    expect((await profileOf(server, person)).email).toBe(address)
  })
})

test.describe('security', () => {
  test('confirms the account with the mailed code, the phone code and the passkey', {
    tag: '@changed',
  }, async ({ newPage, server }) => {
    const person = await aPerson(server, 'Newcomer', { verified: false })
    const page = await newPage({ as: person })
    await open(page, '/certificate')
    await link(page, 'Confirm my email').click()
    await signIn.code(page).fill(await codeIn(server, person.email))
    await expectText(page, 'Your email is confirmed.')

    const phone = randomPhone()
    await security.phone(page).fill(phone.replace('+4179', '+41 (79) '))
    await profile.sendCode(page).click()
    await signIn.code(page).fill(await codeIn(server, phone))
    await expectText(page, 'Your phone is confirmed.')

    await withAuthenticator(page)
    await security.passkeyName(page).fill('Blue key')
    await security.addPasskey(page).click()
    await expectText(page, `Blue key ${security.passkeyAdded}`)
    await security.reachT3(page).click()
    await expectText(page, 'Your passkey confirmed you.')
    expect((await profileOf(server, person)).trust_tier).toBe('T3')

    await security.removePasskey(page).click()
    await security.confirmRemoval(page).click()
    // The dialog and the item are gone: the focus is on the answer.
    await expectFocusOn(page, /^Blue key was removed\.$/)
    expect((await send(server, 'GET /beak/passkey/list', { token: person.token })).body.items).toEqual([])
  })

  test('ends another session, which must sign in again at its next click', async ({
    newPage,
    person,
    server,
  }) => {
    const otherPage = await newPage({ as: await anotherSession(server, person) })
    await openUnfolded(otherPage, '/profile')
    const page = await newPage({ as: person })
    await openUnfolded(page, '/security')
    await security.endSession(page).click()
    await expectText(page, /Signed out: Unknown device, signed in .+\./)
    await link(otherPage, 'Security').click()
    await otherPage.waitForURL(/\/signin\?next=/)
    await page.reload()
    await expectText(page, 'This device')
  })
})

test.describe('the certificate', () => {
  test('is issued, printed without the rest of the page, downloaded, and revoked with a private reason', async ({
    ownPage: page,
    person,
    server,
  }) => {
    // The credential is a part for builders.
    await send(server, 'POST /beak/profile/update', { token: person.token, body: { builder: true } })
    await open(page, '/certificate')
    await certificate.issue(page).click()
    const document = certificate.document(page, person.name)
    await expect(document).toBeVisible()

    await page.emulateMedia({ media: 'print' })
    await expect(document).toBeVisible()
    for (const role of ['navigation', 'button', 'link'] as const)
      await expect(page.getByRole(role).filter({ visible: true }), role).toHaveCount(0)
    await page.emulateMedia({ media: 'screen' })

    await unfold(page)
    const download = page.waitForEvent('download')
    await certificate.download(page).click()
    const { body: view } = await send(server, 'GET /beak/cert/view', { token: person.token })
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(view.credential)

    await certificate.revoke(page).click()
    await certificate.confirmRevoke(page).click()
    await expect(certificate.reason(page)).toHaveAttribute('aria-invalid', 'true')
    await certificate.reason(page).fill('Lost my phone')
    await certificate.confirmRevoke(page).click()
    await expectText(page, certificate.revoked)
    await expect(document.getByText('Revoked').first()).toBeVisible()
    await expectText(page, 'Lost my phone')
    const { body: check } = await send(server, `GET /beak/cert/verify?cert_id=${view.cert_id}`)
    expect([check.valid, JSON.stringify(check).includes('Lost my phone')]).toEqual([false, false])

    await button(page, 'Issue a new certificate').click()
    await expect(heading(page, 'Earlier certificates')).toBeVisible()
    await expect(link(page, view.cert_id)).toBeVisible()
  })
})

test.describe('the account', () => {
  test('is exported with an audit log that the command line accepts', async ({ ownPage: page, person }) => {
    await openUnfolded(page, '/account')
    const download = page.waitForEvent('download')
    await account.download(page).click()
    const exported = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    expect(exported.profile.duckling_id).toBe(person.id)
    expect((await verifyAudit(exported)).faults).toEqual([])
  })

  test('is closed after its email address is typed, and shows before and after what is deleted', async ({
    ownPage: page,
    person,
    server,
  }) => {
    await send(server, 'POST /beak/cert/issue', { token: person.token })
    await anAgent(server, person)
    await openUnfolded(page, '/account')
    const list = page.locator('li').filter({ hasText: /^\d+/ })
    const before = await list.allInnerTexts()
    expect(before.join('\n')).toMatch(/certificate revoked[\s\S]*agent removed[\s\S]*device/)

    await account.close(page).click()
    await account.typedEmail(page).fill(`x${person.email}`)
    await account.confirmClose(page).click()
    await expectText(page, `Type ${person.email} exactly as shown.`)
    await account.typedEmail(page).fill(person.email)
    await account.confirmClose(page).click()
    await page.waitForURL(/\/goodbye\?/)
    await expect(heading(page, 'Goodbye, and safe flight')).toBeVisible()
    await expect(list).toHaveText(before, { useInnerText: true })
    expect(await statusOf(server, person.token)).toBe(401)
  })
})
