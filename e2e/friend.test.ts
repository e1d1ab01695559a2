/** A friend asks: from an opened invitation link to the answer, without an account before. How much of a person's time that takes. */
import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { button, expectText, heading, link, open, sidewaysOf, signInAs, violationsOf } from './browser'
import { expect, test } from './fixtures'
import { expectTrip, Hands } from './hands'
import { codeIn } from './outbox'
import { anAddress, aPerson, type Person } from './people'
import { type Server, send } from './server'

const screens = {
  'on a computer': { viewport: { width: 1280, height: 800 } },
  'on a phone': { viewport: { width: 320, height: 640 }, hasTouch: true, colorScheme: 'dark' },
} as const

async function check(page: Page): Promise<void> {
  expect(await sidewaysOf(page)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
}

const favour = (page: Page) => page.getByLabel('What do you want to ask?')

async function aLink(server: Server, { token }: Person): Promise<string> {
  const { body } = await send(server, 'POST /beak/invitation/create', { token, body: { note: 'Family' } })
  return new URL(body.url).pathname
}

const inboxOf = async (server: Server, { token }: Person) =>
  (await send(server, 'GET /beak/peck/inbox', { token })).body.items

for (const [where, options] of Object.entries(screens))
  test(`asks for the first time and gets the answer ${where}`, async ({ newPage, server }) => {
    const nadia = await aPerson(server, 'Nadia')
    const [path, email] = [await aLink(server, nadia), anAddress('ben')]
    const page = await newPage({ ...options, baseURL: server.url })
    const hands = new Hands(page, () => check(page))
    await open(page, path)
    await expect(heading(page, 'Ask Nadia')).toBeVisible()
    await hands.read('the sentence')
    await hands.fill(favour(page), 'borrow your car on Sunday')
    await hands.tap(button(page, 'Continue'))
    await expectText(page, 'Nadia will see this:')
    await hands.read('what Nadia will see, and who asks')
    await hands.fill(page.getByLabel('Your name'), 'Ben Okafor')
    await hands.fill(page.getByLabel('Your email'), email)
    await hands.tap(button(page, 'Send code'))
    await expectText(page, `We sent a code to ${email}.`)
    await hands.read('the code')
    await hands.fill(page.getByLabel('Six-digit code'), await codeIn(server, email))
    await expectText(page, 'Sent. Nadia reads it and answers.')
    await hands.read('the request', '[role=status]')
    expectTrip(hands, 'A friend asks for the first time, and signs up on the way')

    const [peck] = await inboxOf(server, nadia)
    expect(peck).toMatchObject({ action: 'ask:favour', value: { text: 'borrow your car on Sunday' } })
    const reason = 'Sunday is taken. Saturday?'
    await send(server, 'POST /beak/peck/reject', {
      token: nadia.token,
      body: { peck_id: peck.peck_id, reason },
    })
    await expectText(page, reason)
    await expectText(page, 'You asked Nadia a favour')
    await open(page, '/home')
    await expectText(page, 'You asked Nadia: “borrow your car on Sunday”')
    await expectText(page, reason)
  })

test('keeps what was typed over a reload, the way back and another tab', async ({ newPage, server }) => {
  const nadia = await aPerson(server, 'Nadia')
  const path = await aLink(server, nadia)
  const page = await newPage({ baseURL: server.url })
  await open(page, path)
  await favour(page).fill('water my plants')
  await page.getByText('Date', { exact: true }).first().click()
  await page.getByLabel('Date').fill('2030-12-24')
  await page.getByText('Amount', { exact: true }).first().click()
  await page.getByLabel('Amount').fill('12,50')
  await button(page, 'Continue').click()
  await expectText(page, '24 December 2030')
  await expectText(page, '12.50 EUR')
  await page.reload()
  await expectText(page, 'water my plants')
  await page.goBack()
  await expect(favour(page)).toHaveValue('water my plants')
  const other = await page.context().newPage()
  await open(other, path)
  await expect(favour(other)).toHaveValue('water my plants')
  await expect(other.getByLabel('Date')).toHaveValue('2030-12-24')
})

test('keeps what was typed before Continue over a reload and a visit elsewhere, on this link alone', async ({
  newPage,
  server,
}) => {
  const [nadia, ben] = [await aPerson(server, 'Nadia'), await aPerson(server, 'Ben')]
  const [path, otherPath] = [await aLink(server, nadia), await aLink(server, ben)]
  const page = await newPage({ baseURL: server.url })
  await open(page, path)
  await favour(page).fill('water my plants')
  await page.reload()
  await expect(favour(page)).toHaveValue('water my plants')
  await open(page, otherPath)
  await expect(favour(page)).toHaveValue('')
  await open(page, path)
  await expect(favour(page)).toHaveValue('water my plants')
  await button(page, 'Continue').click()
  await page.getByLabel('Your name').fill('Mia')
  await page.reload()
  await expect(page.getByLabel('Your name')).toHaveValue('Mia')
  await link(page, 'Change it').click()
  await favour(page).fill('water my roses')
  await page.reload()
  await expect(favour(page)).toHaveValue('water my roses')
})

test('shows nobody else who signs in here what was typed', async ({ newPage, server }) => {
  const [nadia, mia, zoe] = [
    await aPerson(server, 'Nadia'),
    await aPerson(server, 'Mia', { verified: false }),
    await aPerson(server, 'Zoe'),
  ]
  const path = await aLink(server, nadia)
  const page = await newPage({ baseURL: server.url, as: mia })
  await open(page, path)
  await favour(page).fill('water my plants')
  await button(page, 'Continue').click()
  await expectText(page, `We sent a code to ${mia.email}.`)
  await open(page, path)
  await favour(page).fill('water my roses')
  await signInAs(page.context(), server, zoe)
  await open(page, path)
  await expect(favour(page)).toHaveValue('')
  await signInAs(page.context(), server, mia)
  await open(page, path)
  await expect(favour(page)).toHaveValue('water my plants')
})

test('reads the request once more with the name of an account that exists, and sends it with one tap', async ({
  newPage,
  server,
}) => {
  const [nadia, ben] = [await aPerson(server, 'Nadia'), await aPerson(server, 'Benjamin')]
  const page = await newPage({ baseURL: server.url })
  await open(page, await aLink(server, nadia))
  await favour(page).fill('pick up Lilly at 5')
  await button(page, 'Continue').click()
  await page.getByLabel('Your name').fill('Ben')
  await page.getByLabel('Your email').fill(ben.email)
  const before = (await codeIn(server, ben.email)) ?? ''
  await button(page, 'Send code').click()
  await expectText(page, `We sent a code to ${ben.email}.`)
  await expect.poll(() => codeIn(server, ben.email)).not.toBe(before)
  await page.getByLabel('Six-digit code').fill(await codeIn(server, ben.email))
  await expectText(page, 'Your email is confirmed.')
  await expectText(page, 'Benjamin asks you a favour')
  expect(await inboxOf(server, nadia)).toEqual([])
  await button(page, 'Send').click()
  await expectText(page, 'Sent. Nadia reads it and answers.')
  expect(await inboxOf(server, nadia)).toHaveLength(1)
})

test('says in words why a link does not work, and shows no form', async ({ newPage, server, complaints }) => {
  complaints.expect(/status of 404 \(Not Found\) at .*\/ask\//)
  const nadia = await aPerson(server, 'Nadia')
  const page = await newPage({ baseURL: server.url })
  const { body } = await send(server, 'POST /beak/invitation/create', { token: nadia.token, body: {} })
  await send(server, 'POST /beak/invitation/revoke', {
    token: nadia.token,
    body: { invitation_id: body.invitation_id },
  })
  await page.goto(new URL(body.url).pathname)
  await expectText(page, 'This invitation link was revoked.')
  await expect(favour(page)).toHaveCount(0)
  const scout = await send(server, 'POST /beak/invitation/create', {
    token: nadia.token,
    body: { action: 'read:calendar' },
  })
  await open(page, new URL(scout.body.url).pathname)
  await expectText(page, 'Only a program can use this link, and only for: Read a calendar.')
  await expectText(page, 'To ask in your own words, get a link for people from Nadia.')
  await expect(favour(page)).toHaveCount(0)
})

test('shows a stranger with a handle as their link does, and nobody whom the directory hides', async ({
  newPage,
  server,
}) => {
  const [nadia, ben] = [await aPerson(server, 'Nadia'), await aPerson(server, 'Ben')]
  const handle = `nadia-${randomBytes(3).toString('hex')}x`
  const { token } = nadia
  await send(server, 'POST /beak/handle/claim', { token, body: { handle } })
  const page = await newPage({ baseURL: server.url, as: ben })
  await open(page, `/pecks/new?to=@${handle}`)
  await expect(heading(page, 'Ask Nadia')).toBeVisible()
  const head = page.locator('header', { has: heading(page, 'Ask Nadia') })
  await expect(head.locator('svg')).toBeVisible()
  await expect(head).toContainText(`@${handle}`)
  await expect(head).toContainText('Email confirmed')
  await check(page)
  await favour(page).fill('lend me a book')
  await button(page, 'Send').click()
  await expectText(page, 'Sent. Nadia reads it and answers.')

  await send(server, 'POST /beak/profile/update', { token, body: { directory_visible: false } })
  await open(page, `/pecks/new?to=@${handle}`)
  await expect(heading(page, 'Ask somebody')).toBeVisible()
  await expect(page.getByLabel('Who do you want to ask?')).toHaveValue(`@${handle}`)
})

test('asks somebody connected with two taps, and answers in the own words of the other', async ({
  newPage,
  server,
}) => {
  const [nadia, ben] = [await aPerson(server, 'Nadia'), await aPerson(server, 'Ben')]
  const ask = { action: 'ask:favour', scope: 'limited', params: { favour: 'lend me a book' } }
  const { body } = await send(server, 'POST /beak/peck/request', {
    token: ben.token,
    body: { ...ask, target_duckling_id: nadia.id },
  })
  await send(server, 'POST /beak/peck/approve', { token: nadia.token, body: { peck_id: body.peck_id } })
  const page = await newPage({ baseURL: server.url, as: nadia })
  await open(page, '/pecks/contacts')
  const hands = new Hands(page)
  await hands.tap(link(page, 'Ask Ben'))
  await expect(heading(page, 'Ask Ben')).toBeVisible()
  await check(page)
  await hands.fill(favour(page), 'bring it back on Monday')
  await hands.tap(button(page, 'Send'))
  await expectText(page, 'Sent. Ben reads it and answers.')
  expect(hands).toMatchObject({ taps: 2, fields: 1 })
  await open(page, '/pecks/contacts')
  await expect(page.getByLabel('Note')).toBeHidden()
  await page.getByText('Change Ben').click()
  await page.getByLabel('Note').fill('from the choir')
  await button(page, 'Save').click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Ben' }).locator('p')).toContainText([
    'from the choir',
  ])
  const back = await newPage({ baseURL: server.url, as: ben })
  await open(back, '/pecks/new')
  await expect(back.getByRole('radio', { name: /Nadia/ })).toBeVisible()
})

test('asks again what was withdrawn or never answered, in the same words', async ({ newPage, server }) => {
  const [nadia, ben] = [await aPerson(server, 'Nadia'), await aPerson(server, 'Ben')]
  const params = { favour: 'lend me a book', amount: '12.50', currency: 'CHF' }
  const { body } = await send(server, 'POST /beak/peck/request', {
    token: ben.token,
    body: { target_duckling_id: nadia.id, action: 'ask:favour', scope: 'limited', params },
  })
  const page = await newPage({ baseURL: server.url, as: ben })
  await open(page, `/pecks/${body.peck_id}`)
  await expect(link(page, 'Sent requests')).toBeVisible()
  await expect(link(page, 'Ask again')).toHaveCount(0)
  await send(server, 'POST /beak/peck/cancel', { token: ben.token, body: { peck_id: body.peck_id } })
  await open(page, `/pecks/${body.peck_id}`)
  await link(page, 'Ask again').click()
  await expect(heading(page, 'Ask Nadia')).toBeVisible()
  await expect(favour(page)).toHaveValue('lend me a book')
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveValue('12.50')
  await check(page)
  await button(page, 'Send').click()
  await expectText(page, 'Sent. Nadia reads it and answers.')
  const [again] = await inboxOf(server, nadia)
  const status = `GET /beak/peck/status?peck_id=${again.peck_id}`
  const peck = await send(server, status, { token: nadia.token })
  expect(peck.body.params).toEqual(params)

  const stranger = await newPage({ baseURL: server.url, as: await aPerson(server, 'Cara') })
  await open(stranger, `/pecks/new?again=${body.peck_id}`)
  await expect(heading(stranger, 'Ask somebody')).toBeVisible()
  await expect(favour(stranger)).toHaveValue('')
})
