/** People whose names a display name cannot have: from the sign-up to the public check of the certificate. */
import { expectText, link, open, openUnfolded, sidewaysOf, tokenOf } from './browser'
import { profile } from './controls/account'
import { signIn, signUp } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeIn } from './outbox'
import { anAddress, profileOf } from './people'
import { send } from './server'

// security: asker-21
for (const [name, other] of [
  ['李雷', '韩梅梅'],
  ['محمد', 'نور'],
] as const)
  test(`a person named ${name} signs up, gets a certificate in that name, and changes the name`, async ({
    newPage,
    server,
  }) => {
    const page = await newPage()
    const email = anAddress('newcomer')
    await signUp(page, name, email)
    await signIn.code(page).fill(await codeIn(server, email))
    await expect(page.getByRole('heading', { name: 'Hello,' })).toContainText(name)
    await link(page, 'Not now').click()
    await signIn.issueCertificate(page).click()
    await expect(signIn.certificateReady(page)).toBeVisible()
    // The isolated name does not reorder the words around it.
    await expect(page.getByRole('article').locator('bdi')).toHaveText(name)
    await expect(page.getByRole('banner').locator('bdi').first()).toHaveText(name)

    const token = await tokenOf(page)
    expect((await profileOf(server, { token })).display_name).toMatch(/^Duck/)
    const { body: certificate } = await send(server, 'GET /beak/cert/view', { token })
    await openUnfolded(page, '/profile')
    await expect(profile.name(page)).toHaveValue(name)
    await profile.name(page).fill('Beak Support')
    await profile.changeName(page).click()
    await expect(profile.name(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(profile.name(page)).toHaveValue('Beak Support')
    await profile.name(page).fill(other)
    await profile.changeName(page).click()
    await expectText(page, /You can change your name again from/)
    await expect(page.getByRole('banner').locator('bdi').first()).toHaveText(other)

    const stranger = await newPage()
    await stranger.setViewportSize({ width: 320, height: 700 })
    await open(stranger, `/verify/${certificate.cert_id}`)
    await expect(stranger.getByRole('article').locator('bdi')).toHaveText(name)
    await expect(stranger.getByText(`(now ${other})`)).toBeVisible()
    expect(await sidewaysOf(stranger)).toBe(0)
    const address = await stranger.locator('meta[property="og:image"]').getAttribute('content')
    const { pathname, search } = new URL(address ?? '')
    const image = await stranger.request.get(`${pathname}${search}`)
    expect(image.status()).toBe(200)
  })

test('a change of the name is taken back within the week, on a small phone too', async ({
  ownPage: page,
  server,
  person,
}) => {
  const before = (await profileOf(server, person)).display_name
  await page.setViewportSize({ width: 320, height: 700 })
  await openUnfolded(page, '/profile')
  await profile.name(page).fill('SomebodyElse')
  await profile.changeName(page).click()
  await expect(page.getByRole('banner').locator('bdi').first()).toHaveText('SomebodyElse')
  await expectText(page, new RegExp(`your name was ${before}`, 'i'))
  expect(await sidewaysOf(page)).toBe(0)
  await profile.takeBackNames(page).click()
  await expectText(page, new RegExp(`Your name is .*${before}.* again`))
  await expect(page.getByText('Your name is now')).toBeHidden()
  await expect(profile.takeBackNames(page)).toBeHidden()
  expect((await profileOf(server, person)).full_name).toBeNull()
})

test('a change of the display name, which no page shows, is named and can be taken back', async ({
  ownPage: page,
  server,
  person,
}) => {
  const { display_name: before } = await profileOf(server, person)
  const { token } = person
  const change = (body: object) => send(server, 'POST /beak/name-change', { token, body })
  await change({ full_name: 'Alice Arnold' })
  await change({ new_display_name: 'Mallory' })
  expect((await profileOf(server, person)).display_name).toBe('Mallory')
  await openUnfolded(page, '/profile')
  await expectText(page, new RegExp(`your name was Alice Arnold, and ${before} for other sites`))
  await profile.takeBackNames(page).click()
  await expectText(page, /Your name is [^.]*Alice Arnold[^.]* again/)
  expect((await profileOf(server, person)).display_name).toBe(before)
})
