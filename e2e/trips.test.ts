/** The trips of somebody who lost a phone, and of somebody who closes an account, counted (docs/trips.md). */
import {
  addPasskey,
  button,
  expectText,
  heading,
  link,
  open,
  sidewaysOf,
  tokenOf,
  violationsOf,
  withAuthenticator,
} from './browser'
import { account, security } from './controls/account'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { expectTrip, Hands } from './hands'
import { anAgent, statusOf } from './people'
import { send } from './server'

const handsOf = (page: ConstructorParameters<typeof Hands>[0]) =>
  new Hands(page, async () => {
    expect(await sidewaysOf(page)).toBe(0)
    expect(await violationsOf(page)).toEqual([])
  })

test('ends the session and the passkey of a lost phone, on another device', { tag: '@changed' }, async ({
  newPage,
  person,
  server,
}) => {
  const computer = await newPage({ viewport: { width: 1280, height: 800 }, baseURL: server.url })
  const passkeys = await withAuthenticator(computer)
  await addPasskey(server, person, passkeys)
  const hands = handsOf(computer)
  await open(computer, '/signin')
  await hands.read('sign-in')
  await hands.tap(signIn.withPasskey(computer))
  await computer.waitForURL(/\/home/)
  const session = { token: await tokenOf(computer) }
  // Signs in on the phone, with the passkey of the phone.
  const phone = await newPage({ baseURL: server.url })
  await addPasskey(server, session, await withAuthenticator(phone))
  await open(phone, '/signin')
  await signIn.withPasskey(phone).click()
  await phone.waitForURL(/\/home/)
  const lost = await tokenOf(phone)
  await phone.close()
  // Only the lost phone and the computer are signed in.
  await send(server, 'POST /beak/signout', { token: person.token })

  await hands.tap(computer.getByRole('link', { name: 'You', exact: true }))
  await heading(computer, 'You', 1).waitFor()
  await hands.read('you')
  await hands.tap(link(computer, 'Manage Security'))
  await heading(computer, 'Security', 1).waitFor()
  await hands.read('devices')
  await hands.tap(button(computer, /^Lost this device/))
  await hands.read('lost', '[role=alertdialog]')
  await hands.tap(button(computer, 'Sign out and remove passkey'))
  await expectText(computer, /was removed\. One device was signed out\./)
  await expect(security.removePasskey(computer)).toHaveCount(1)
  expect(await statusOf(server, lost)).toBe(401)
  expectTrip(hands, 'A person ends the session and the passkey of a lost phone', ['certificate'])
})

test('closes an account from Home', { tag: '@changed' }, async ({ ownPage: page, person, server }) => {
  await send(server, 'POST /beak/cert/issue', { token: person.token })
  await anAgent(server, person)
  const hands = handsOf(page)
  await open(page, '/home')
  await hands.tap(page.getByRole('link', { name: 'You', exact: true }))
  await heading(page, 'You', 1).waitFor()
  await hands.read('you')
  await hands.tap(link(page, /^Manage.*[Dd]ata/))
  await heading(page, 'Data', 1).waitFor()
  await hands.read('data')
  await hands.tap(page.getByText('Close your account', { exact: true }))
  await hands.tap(account.close(page))
  await hands.fill(account.typedEmail(page), person.email)
  await hands.tap(account.confirmClose(page))
  await page.waitForURL(/\/goodbye\?/)
  await expectText(page, 'Goodbye, and safe flight')
  await hands.read('goodbye')
  expect(await statusOf(server, person.token)).toBe(401)
  expectTrip(hands, 'A person closes the account', ['certificate', 'certificates'])
})
