/** From a mail about a request to the request itself, and the settings of these mails. */
import type { Page } from '@playwright/test'
import type { SentMessage } from '@/lib/factories/outbox'
import { button, expectText, heading, openUnfolded, tokenOf, unfold } from './browser'
import { signIn } from './controls/sign-in'
import { expect, test } from './fixtures'
import { codeAfter, outboxOf } from './outbox'
import { aPerson, type Person } from './people'
import { eventually, type Server, send } from './server'

const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }

/** Asks a person for a permission and returns the mail about it. */
async function mailAbout(server: Server, person: Person): Promise<{ mail: SentMessage; peckId: string }> {
  const asker = await aPerson(server, 'Eider')
  const { body } = await send(server, 'POST /beak/peck/request', {
    token: asker.token,
    body: { target_duckling_id: person.id, action: 'send:email', scope: 'limited' },
  })
  // Requests gather for ten seconds before they are one mail.
  const mail = await eventually(
    () => outboxOf(server).find(({ to, kind }) => to === person.email && kind === 'peck_waiting'),
    30,
  )
  return { mail, peckId: body.peck_id }
}

/** Opens the link of a mail, as a person does who reads mail on a phone. */
async function openLink(page: Page, { text }: SentMessage): Promise<void> {
  const [link = ''] = /^http\S+\/pecks\/PECK-\w+$/m.exec(text) ?? []
  await page.goto(link)
}

test.describe('the link in a mail about a request', () => {
  test('leads through the sign-in with a code to the request, on a phone', async ({
    newPage,
    person,
    server,
  }) => {
    const page = await newPage(phone)
    const { mail, peckId } = await mailAbout(server, person)
    expect(mail.subject).toBe("Somebody you don't know: Eider wants to send an email")
    await openLink(page, mail)
    await signIn.email(page).fill(person.email)
    const code = await codeAfter(server, person.email, () => signIn.mailCode(page).tap())
    await signIn.code(page).fill(code)
    await page.waitForURL(`**/pecks/${peckId}`)
    await expectText(page, 'Eider')
    const { body } = await send(server, `GET /beak/peck/status?peck_id=${peckId}`, { token: person.token })
    expect(body.status).toBe('pending')
  })

  test('leads through the sign-in without scripts, too', async ({ newPage, person, server }) => {
    const page = await newPage({ ...phone, javaScriptEnabled: false })
    const { mail, peckId } = await mailAbout(server, person)
    await openLink(page, mail)
    await signIn.email(page).fill(person.email)
    const code = await codeAfter(server, person.email, () => signIn.mailCode(page).click())
    await signIn.code(page).fill(code)
    await signIn.withCode(page).click()
    await page.waitForURL(`**/pecks/${peckId}`)
  })

  test('leads straight to the request when the reader is signed in', async ({ newPage, person, server }) => {
    const page = await newPage({ ...phone, as: person })
    const { mail, peckId } = await mailAbout(server, person)
    await openLink(page, mail)
    expect(new URL(page.url()).pathname).toBe(`/pecks/${peckId}`)
    await expectText(page, 'Eider')
  })
})

const settings = {
  medium: (page: Page) => page.getByRole('group', { name: 'Mail' }).getByLabel('Medium risks'),
  ownAgents: (page: Page) => page.getByLabel('Also about requests of my own agents'),
  reminders: (page: Page) => page.getByLabel('Remind me before a request expires'),
  timeZone: (page: Page) => page.getByLabel('Your time zone'),
  quiet: (page: Page) => page.getByLabel('Send nothing during quiet hours'),
  from: (page: Page) => page.getByLabel('From'),
  until: (page: Page) => page.getByLabel('Until'),
  save: (page: Page) => button(page, 'Save'),
}

test.describe('the settings of notifications', () => {
  const read = async (server: Server, page: Page) =>
    (await send(server, 'GET /beak/notifications', { token: await tokenOf(page) })).body

  test('are saved, and the time zone of the device is offered first', async ({ newPage, person, server }) => {
    const page = await newPage({ as: person, timezoneId: 'Europe/Berlin' })
    await openUnfolded(page, '/notifications')
    await expect(heading(page, 'Notifications')).toBeVisible()
    await expect(settings.timeZone(page)).toHaveValue('Europe/Berlin')
    await expect(settings.from(page)).toBeHidden()
    await settings.quiet(page).check()
    await settings.until(page).fill('06:30')
    await settings.medium(page).selectOption('Never')
    await settings.reminders(page).uncheck()
    await page.getByLabel('Name the amount or the target in mails').uncheck()
    await settings.save(page).click()
    await expectText(page, 'Saved.')
    const wanted = {
      channels: { mail: { requests: 'high_risk', reminders: false, details: false } },
      quiet_hours: { from: '22:00', to: '06:30' },
      time_zone: 'Europe/Berlin',
    }
    await expect.poll(() => read(server, page)).toMatchObject(wanted)
    await page.reload()
    await expect(settings.medium(page)).toHaveValue('never')
    await expect(settings.until(page)).toHaveValue('06:30')

    await settings.medium(page).selectOption('If nothing else reaches me')
    await settings.ownAgents(page).uncheck()
    await unfold(page)
    await page.getByLabel('Collect medium and low risks').check()
    await settings.save(page).click()
    await expect
      .poll(() => read(server, page))
      .toMatchObject({ gathered: true, channels: { mail: { requests: 'others', announces: ['high'] } } })
    await page.reload()
    await expect(settings.ownAgents(page)).not.toBeChecked()
    await expectText(
      page,
      'Medium and low risks come together, a few times a day. Quiet hours from 22:00 to 06:30.',
    )
  })

  test('show errors beside the fields, and keep what was chosen', async ({ newPage, person }) => {
    const page = await newPage({ as: person, javaScriptEnabled: false })
    await page.goto('/notifications')
    await settings.quiet(page).check()
    await settings.save(page).click()
    await expectText(page, 'Is required for quiet hours.')
    await expect(settings.quiet(page)).toBeChecked()
    await settings.timeZone(page).selectOption('Asia/Tokyo')
    await settings.from(page).fill('07:00')
    await settings.save(page).click()
    await expectText(page, 'Must differ from the start.')
    await expect(settings.timeZone(page)).toHaveValue('Asia/Tokyo')
  })
})
