import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sendNewsletter } from '@/lib/domain/platform/send-newsletter'
import { subscribe } from '@/lib/domain/platform/subscribe'
import { anonymously, randomEmail } from '@/lib/fixtures/ducklings'
import { sentTo } from '@/lib/fixtures/outbox'
import { hour, readClock, secondsAfter } from '@/lib/kernel/clock'
import { sha256 } from '@/lib/kernel/secrets'

const post = (action: string, body: unknown) => call(`POST /beak/newsletter/${action}`, { body })
const stateOf = (email: string) => db().subscription.findUniqueOrThrow({ where: { email } })

/** The token in the newest message with a link to that page. */
async function tokenFor(email: string, page: 'confirm' | 'unsubscribe' = 'confirm'): Promise<string> {
  const links = (await sentTo(email)).map(
    ({ text }) => new RegExp(`http://localhost:3000/newsletter/${page}\\?token=(\\S+)`).exec(text)?.[1],
  )
  const token = links.findLast((found) => found !== undefined)
  if (!token) throw new Error(`no link was sent to ${email}`)
  return token
}

/** An address that has confirmed. */
async function aSubscriber(): Promise<{ email: string; token: string }> {
  const email = randomEmail()
  await post('subscribe', { email })
  const token = await tokenFor(email)
  await post('confirm', { token })
  return { email, token }
}

/** As if the newest mail had been sent an hour ago. */
async function anHourPasses(email: string): Promise<void> {
  await db().subscription.update({ where: { email }, data: { mailedAt: secondsAfter(readClock(), -hour) } })
}

describe('200', () => {
  it('an address subscribes once its owner has followed the link, and no sooner', async () => {
    const email = randomEmail()
    const asked = await post('subscribe', { email })
    expect([asked.status, asked.body]).toEqual([200, { success: true, message: expect.any(String) }])
    expect((await stateOf(email)).status).toBe('pending')
    const mails = await sentTo(email)
    expect(mails.map(({ kind }) => kind)).toEqual(['newsletter_confirm'])
    expect((await stateOf(email)).status).toBe('pending')
    const confirmed = await post('confirm', { token: await tokenFor(email) })
    expect([confirmed.status, confirmed.body.success]).toEqual([200, true])
    expect(await stateOf(email)).toMatchObject({ status: 'subscribed', confirmedAt: expect.any(Date) })
  })

  it('the mail carries both links; of the token only the digest is kept', async () => {
    const email = randomEmail()
    await post('subscribe', { email })
    const token = await tokenFor(email, 'confirm')
    expect(await tokenFor(email, 'unsubscribe')).toBe(token)
    expect(token).toMatch(/^NWS-[0-9A-HJKMNP-TV-Z]{32}$/)
    const { tokenHash } = await stateOf(email)
    expect(Buffer.from(tokenHash ?? [])).toEqual(sha256(token))
    const promised = await db().outbox.findMany({ where: { kind: 'newsletter' } })
    expect(JSON.stringify(promised.map(({ payload }) => payload))).not.toContain(token)
  })

  it('says the same whether the address is new, pending, subscribed or gone, however it is written', async () => {
    const { email, token } = await aSubscriber()
    const pending = randomEmail()
    await post('subscribe', { email: pending })
    const answers = []
    for (const address of [randomEmail(), pending, email, email.toUpperCase(), ` ${email} `])
      answers.push(await post('subscribe', { email: address }))
    await post('unsubscribe', { token })
    answers.push(await post('subscribe', { email }))
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]?.body])
  })

  it('makes the same writes whether the address is known or not, so that time tells nothing', async () => {
    const { email } = await aSubscriber()
    const promisedFor = async (address: string) => {
      await subscribe(anonymously(), address, undefined)
      const rows = await db().outbox.findMany({
        where: { kind: 'newsletter', payload: { path: ['email'], equals: address } },
      })
      return rows.length
    }
    expect(await promisedFor(email)).toBe(1)
    expect(await promisedFor(randomEmail())).toBe(1)
  })

  it('mails an address at most once an hour, however many ask and at once', async () => {
    const email = randomEmail()
    await Promise.all(Array.from({ length: 50 }, () => post('subscribe', { email })))
    await post('subscribe', { email })
    expect(await sentTo(email)).toHaveLength(1)
    await anHourPasses(email)
    await Promise.all(Array.from({ length: 10 }, () => post('subscribe', { email })))
    expect(await sentTo(email)).toHaveLength(2)
  })

  it('the newest link counts; a try of the worker that failed does not use up the hour', async () => {
    const email = randomEmail()
    await subscribe(anonymously(), email, undefined)
    const old = await tokenFor(email)
    // The worker does it again, as after a failed try.
    await sendNewsletter({ email, is_due: true }, readClock())
    const token = await tokenFor(email)
    expect(token).not.toBe(old)
    expect((await post('confirm', { token: old })).status).toBe(404)
    expect((await post('confirm', { token })).status).toBe(200)
  })

  it('tells a subscriber who asks again that nothing needs to be done, and leaves the links alone', async () => {
    const { email, token } = await aSubscriber()
    await anHourPasses(email)
    await post('subscribe', { email, partner_type: 'elsewhere' })
    expect((await sentTo(email)).map(({ kind }) => kind)).toEqual([
      'newsletter_confirm',
      'newsletter_already',
    ])
    expect(await stateOf(email)).toMatchObject({ status: 'subscribed', partnerType: null })
    expect((await post('unsubscribe', { token })).status).toBe(200)
  })

  it('keeps the partner list asked for, and names it in the mail', async () => {
    const email = randomEmail()
    await post('subscribe', { email, partner_type: 'press-list' })
    expect((await sentTo(email))[0]?.text).toContain('"press-list"')
    expect((await stateOf(email)).partnerType).toBe('press-list')
  })
})

describe('confirming and unsubscribing', () => {
  it('each may be done twice: links are opened more than once', async () => {
    const { email, token } = await aSubscriber()
    expect((await post('confirm', { token })).status).toBe(200)
    for (let count = 0; count < 2; count++) expect((await post('unsubscribe', { token })).status).toBe(200)
    expect((await stateOf(email)).status).toBe('unsubscribed')
  })

  it('a subscription that was never confirmed can be refused for good by its link', async () => {
    const email = randomEmail()
    await post('subscribe', { email })
    const token = await tokenFor(email)
    expect((await post('unsubscribe', { token })).status).toBe(200)
    expect((await post('confirm', { token })).status).toBe(404)
  })

  it('who has unsubscribed can subscribe again', async () => {
    const { email, token } = await aSubscriber()
    await post('unsubscribe', { token })
    await anHourPasses(email)
    await post('subscribe', { email })
    expect((await stateOf(email)).status).toBe('pending')
    await post('confirm', { token: await tokenFor(email) })
    expect((await stateOf(email)).status).toBe('subscribed')
  })

  it('opening a link changes nothing: there is no GET', async () => {
    for (const action of ['subscribe', 'confirm', 'unsubscribe'])
      expect((await call(`GET /beak/newsletter/${action}?token=NWS-1`)).status).toBe(405)
  })

  it.each(['confirm', 'unsubscribe'])('%s answers 404 to a token nobody was sent', async (action) => {
    for (const token of ['NWS-00000000000000000000000000000000', 'x', 'NWS-', '🦆']) {
      const { status, body } = await post(action, { token })
      expect([status, body.code]).toEqual([404, 'E4005'])
    }
  })
})

describe('400', () => {
  it.each([
    [{}, 'email'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email'],
    [{ email: 'a@example.com, b@example.com' }, 'email'],
    [{ email: 'a@example.com', partner_type: 'https://evil.example' }, 'partner_type'],
    [{ email: 'a@example.com', partner_type: '' }, 'partner_type'],
    [{ email: 'a@example.com', partner_type: `p${'x'.repeat(64)}` }, 'partner_type'],
    [{ email: 'a@example.com', status: 'subscribed' }, 'status'],
  ])('names the field at fault in %j', async (body, field) => {
    const answer = await post('subscribe', body)
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field])
  })

  it.each([[{}], [{ token: '' }], [{ token: 'x'.repeat(201) }], [{ token: 1 }]])(
    'a token is a text: %j',
    async (body) => {
      expect((await post('confirm', body)).status).toBe(400)
      expect((await post('unsubscribe', body)).status).toBe(400)
    },
  )
})
