import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sendNewsletter, subscribe } from '@/lib/domain/newsletter/subscriptions'
import { anonymously, randomEmail } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { sha256 } from '@/lib/kernel/secrets/secrets'

const post = (action: string, body: unknown) => call(`POST /beak/newsletter/${action}`, { body })
const stateOf = (email: string) => db().subscription.findUniqueOrThrow({ where: { email } })

/** Returns the token in the newest mail with a link to that page. */
async function tokenFor(email: string, page: 'confirm' | 'unsubscribe' = 'confirm'): Promise<string> {
  const links = (await sentTo(email)).map(
    ({ text }) => new RegExp(`http://localhost:3000/newsletter/${page}\\?token=(\\S+)`).exec(text)?.[1],
  )
  const token = links.findLast((found) => found !== undefined)
  if (!token) throw new Error(`no link was sent to ${email}`)
  return token
}

/** Subscribes a new address and confirms it. */
async function aSubscriber(): Promise<{ email: string; token: string }> {
  const email = randomEmail()
  await post('subscribe', { email })
  const token = await tokenFor(email)
  await post('confirm', { token })
  return { email, token }
}

/** Moves the newest mail to an address one hour into the past. */
async function ageMail(email: string): Promise<void> {
  await db().subscription.update({ where: { email }, data: { mailedAt: secondsAfter(readClock(), -hour) } })
}

describe('200', () => {
  it('subscribes an address only after its owner has followed the link', async () => {
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

  it('mails both links, and stores only the digest of the token', async () => {
    const email = randomEmail()
    await post('subscribe', { email })
    const token = await tokenFor(email, 'confirm')
    expect(await tokenFor(email, 'unsubscribe')).toBe(token)
    expect(token).toMatch(/^NWS-[0-9A-HJKMNP-TV-Z]{32}$/)
    const { tokenHash } = await stateOf(email)
    expect(Buffer.from(tokenHash ?? [])).toEqual(sha256(token))
    const jobs = await db().outbox.findMany({ where: { kind: 'newsletter' } })
    expect(JSON.stringify(jobs.map(({ payload }) => payload))).not.toContain(token)
  })

  it('mails in the language of the browser', async () => {
    const email = randomEmail()
    await call('POST /beak/newsletter/subscribe', {
      body: { email },
      headers: { 'accept-language': 'de-AT' },
    })
    const jobs = await db().outbox.findMany({
      where: { kind: 'newsletter', payload: { path: ['email'], equals: email } },
    })
    expect(jobs.map(({ payload }) => payload)).toEqual([{ email, is_due: true, language: 'de-AT' }])
    // There is no table for it, so the mail is in English.
    expect((await sentTo(email)).map(({ subject }) => subject)).toEqual(['Please confirm your subscription'])
  })

  it('returns the same answer for a new, pending, subscribed or unsubscribed address', async () => {
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

  it('writes the same for known and unknown addresses, so that timing reveals nothing', async () => {
    const { email } = await aSubscriber()
    const countJobs = async (address: string) => {
      await subscribe(anonymously(), address, undefined)
      const rows = await db().outbox.findMany({
        where: { kind: 'newsletter', payload: { path: ['email'], equals: address } },
      })
      return rows.length
    }
    expect(await countJobs(email)).toBe(1)
    expect(await countJobs(randomEmail())).toBe(1)
  })

  it('mails an address at most once an hour, also for 50 simultaneous requests', async () => {
    const email = randomEmail()
    await Promise.all(Array.from({ length: 50 }, () => post('subscribe', { email })))
    await post('subscribe', { email })
    expect(await sentTo(email)).toHaveLength(1)
    await ageMail(email)
    await Promise.all(Array.from({ length: 10 }, () => post('subscribe', { email })))
    expect(await sentTo(email)).toHaveLength(2)
  })

  it('accepts only the newest link, and a retry of the worker can mail again within the hour', async () => {
    const email = randomEmail()
    await subscribe(anonymously(), email, undefined)
    const old = await tokenFor(email)
    // The worker runs the job again, as after a failure.
    await sendNewsletter({ email, is_due: true }, readClock())
    const token = await tokenFor(email)
    expect(token).not.toBe(old)
    expect((await post('confirm', { token: old })).status).toBe(404)
    expect((await post('confirm', { token })).status).toBe(200)
  })

  it('mails a note to a subscriber who subscribes again, and the earlier links stay valid', async () => {
    const { email, token } = await aSubscriber()
    await ageMail(email)
    await post('subscribe', { email, partner_type: 'elsewhere' })
    expect((await sentTo(email)).map(({ kind }) => kind)).toEqual([
      'newsletter_confirm',
      'newsletter_already',
    ])
    expect(await stateOf(email)).toMatchObject({ status: 'subscribed', partnerType: null })
    expect((await post('unsubscribe', { token })).status).toBe(200)
  })

  it('stores the partner list and names it in the mail', async () => {
    const email = randomEmail()
    await post('subscribe', { email, partner_type: 'press-list' })
    expect((await sentTo(email))[0]?.text).toContain('"press-list"')
    expect((await stateOf(email)).partnerType).toBe('press-list')
  })
})

describe('confirm and unsubscribe', () => {
  it('succeed even when the link is used twice', async () => {
    const { email, token } = await aSubscriber()
    expect((await post('confirm', { token })).status).toBe(200)
    for (let count = 0; count < 2; count++) expect((await post('unsubscribe', { token })).status).toBe(200)
    expect((await stateOf(email)).status).toBe('unsubscribed')
  })

  it('end a subscription that was not confirmed, so that it cannot be confirmed later', async () => {
    const email = randomEmail()
    await post('subscribe', { email })
    const token = await tokenFor(email)
    expect((await post('unsubscribe', { token })).status).toBe(200)
    expect((await post('confirm', { token })).status).toBe(404)
  })

  it('allow an address to subscribe again after unsubscribing', async () => {
    const { email, token } = await aSubscriber()
    await post('unsubscribe', { token })
    await ageMail(email)
    await post('subscribe', { email })
    expect((await stateOf(email)).status).toBe('pending')
    await post('confirm', { token: await tokenFor(email) })
    expect((await stateOf(email)).status).toBe('subscribed')
  })

  it.each(['confirm', 'unsubscribe'])('return 404 for an unknown token: %s', async (action) => {
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
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await post('subscribe', body)
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field])
  })

  it.each([[{}], [{ token: '' }], [{ token: 'x'.repeat(201) }], [{ token: 1 }]])(
    'refuses a token that is not a text of 1 to 200 characters: %j',
    async (body) => {
      expect((await post('confirm', body)).status).toBe(400)
      expect((await post('unsubscribe', body)).status).toBe(400)
    },
  )
})
