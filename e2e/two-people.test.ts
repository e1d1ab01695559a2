/**
 * The main job from end to end: two people in separate browsers, an agent of one of them, and a stranger who verifies the results
 * without an account.
 */
import type { Page } from '@playwright/test'
import { button, expectText, heading, link, open, openUnfolded, tokenOf, withAuthenticator } from './browser'
import { certificate } from './controls/account'
import { agents, bond, registerAgent } from './controls/agents'
import { inbox, openInbox } from './controls/inbox'
import { signIn, signInWithPasskey } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeIn } from './outbox'
import { anAddress, profileOf, statusOf } from './people'
import { type Server, send } from './server'

/** Signs up, confirms the address, adds a passkey and issues a certificate. Returns the id of the certificate. */
async function comeIn(page: Page, server: Server, name: string): Promise<string> {
  const email = anAddress(name)
  await open(page, '/')
  await link(page, 'Sign up').first().click()
  await signIn.name(page).fill(name)
  await signIn.email(page).fill(email)
  await signIn.signUp(page).click()
  await signIn.code(page).fill(await codeIn(server, email))
  await signIn.addPasskey(page).click()
  await signIn.issueCertificate(page).click()
  await expect(signIn.certificateReady(page)).toBeVisible()
  return (await send(server, 'GET /beak/cert/view', { token: await tokenOf(page) })).body.cert_id
}

/** Registers an agent and runs the bonding command that the page prints, as the agent does. */
async function bondAgent(page: Page, name: string): Promise<{ id: string; key: string }> {
  await open(page, '/agents/new/key')
  await registerAgent(page, name)
  const key = await agents.key(page)
  const { agent_id: id } = await bond(page, key)
  await expect(agents.bonded(page, name)).toBeVisible()
  return { id, key }
}

test('two people, an agent and a stranger can do the main job', async ({ newPage, server }) => {
  const [mallard, eider, stranger] = [await newPage(), await newPage(), await newPage()]
  for (const page of [mallard, eider]) await withAuthenticator(page)
  await comeIn(mallard, server, 'Mallard')
  const certificateId = await comeIn(eider, server, 'Eider')
  const scout = await bondAgent(mallard, 'Scout')

  // Eider has the inbox open when Mallard's agent asks, and signs exactly that request with a passkey.
  await openInbox(eider)
  const token = await tokenOf(eider)
  const { duckling_id: target } = await profileOf(server, { token })
  const params = { to: 'Lake', seats: 2 }
  const asked = await send(server, 'POST /beak/peck/request', {
    key: scout.key,
    body: { target_duckling_id: target, action: 'book:train', scope: 'limited', params },
  })
  const { peck_id: peckId } = asked.body
  const answered = send(server, `GET /beak/peck/status?peck_id=${peckId}&wait=30`, { key: scout.key })
  const request = inbox.card(eider, 'book:train')
  await expect(request.getByText('Mallard').first()).toBeVisible()
  await inbox.approveWithPasskey(request).click()
  await expect(inbox.approvedByPasskey(request)).toBeVisible()

  // The waiting agent may use the permission once, and only with these parameters.
  const { body: seen } = await answered
  expect(seen).toMatchObject({ status: 'approved', grant_status: 'active' })
  const use = (given: object) =>
    send(server, 'POST /beak/peck/consume', { body: { grant_token: seen.grant_token, params: given } })
  expect((await use({ to: 'Lake', seats: 20 })).status).toBe(403)
  expect((await use(params)).body).toMatchObject({ active: true, uses_left: 0 })
  expect((await use(params)).status).toBe(409)

  // The stranger checks receipt, agent and certificate without an account.
  const downloading = eider.waitForEvent('download')
  await inbox.receipt(request).click()
  await open(stranger, '/receipts')
  await stranger.getByLabel('Receipt file').setInputFiles(await (await downloading).path())
  await expect(heading(stranger, 'Signed with a passkey')).toBeVisible()
  await open(stranger, `/agents/${scout.id}`)
  await expect(heading(stranger, 'This agent is valid.', 1)).toBeVisible()
  await open(stranger, '/verify')
  await stranger.getByRole('textbox').fill(certificateId)
  await stranger.getByRole('textbox').press('Enter')
  await expect(heading(stranger, 'This certificate is valid.')).toBeVisible()

  // Eider finds an intact audit log, revokes the certificate and signs out.
  await open(eider, '/audit')
  const approval = eider.locator('main ol summary').filter({ hasText: 'You approved' })
  await expect(approval.first()).toContainText(/To: Lake/)
  await expect(approval.first()).toContainText(/\d\d:\d\d$/)
  await eider.getByText('For experts').click()
  await button(eider, 'Check the log').click()
  await expectText(eider, /^\d+ events intact since/)
  await openUnfolded(eider, '/certificate')
  await certificate.revoke(eider).click()
  await certificate.reason(eider).fill('Moving to another pond.')
  await certificate.confirmRevoke(eider).click()
  await expectText(eider, certificate.revoked)
  await stranger.reload()
  await expect(heading(stranger, /revoked/, 1)).toBeVisible()
  await signIn.signOut(eider)
  await eider.waitForURL('**/signed-out')
  expect(await statusOf(server, token)).toBe(401)

  // Eider signs in again with only the passkey.
  await open(eider, '/signin?next=%2Fpecks')
  await signInWithPasskey(eider)
  await eider.waitForURL('**/pecks')
})
