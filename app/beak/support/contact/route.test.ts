import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sendSupport } from '@/lib/domain/support/contact-support'
import { randomEmail } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { config, useConfig } from '@/lib/kernel/config'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'

const before = config()
const contact = (email: string, message = 'My duck does not quack.') =>
  call('POST /beak/support/contact', { body: { email, message } })
/** Returns the mails to the support address about a ticket. */
const requestsFor = async (ticketId: string) =>
  (await sentTo(config().supportEmail)).filter(({ subject }) => subject?.includes(ticketId))
const receiptsTo = async (email: string) =>
  (await sentTo(email)).filter(({ kind }) => kind === 'support_receipt')

describe('200', () => {
  it('returns a ticket, mails the message to support and a receipt to the sender', async () => {
    const email = randomEmail()
    const { status, body } = await contact(email)
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, ticket_id: expect.stringMatching(/^TKT-[0-9A-HJKMNP-TV-Z]{26}$/) })
    const [request, ...others] = await requestsFor(body.ticket_id)
    expect(others).toEqual([])
    expect(request).toMatchObject({ kind: 'support_request', to: config().supportEmail })
    expect(request?.text).toContain(`${email} writes`)
    expect(request?.text).toContain('> My duck does not quack.')
    const [receipt] = await receiptsTo(email)
    expect(receipt?.subject).toContain(body.ticket_id)
  })

  it('mails the receipt in the language of the browser', async () => {
    const { body } = await call('POST /beak/support/contact', {
      body: { email: randomEmail(), message: 'Hallo' },
      headers: { 'accept-language': 'de-AT' },
    })
    const jobs = await db().outbox.findMany({
      where: { kind: 'support', payload: { path: ['ticket_id'], equals: body.ticket_id } },
    })
    const payloads = new Set(jobs.map(({ payload }) => payload))
    expect(payloads).toEqual(
      new Set([
        { ticket_id: body.ticket_id, letter: 'request' },
        { ticket_id: body.ticket_id, letter: 'receipt', language: 'de-AT' },
      ]),
    )
  })

  it('mails a receipt without the message, because the address may belong to another person', async () => {
    const email = randomEmail()
    await contact(email, 'Buy cheap feathers at https://spam.example')
    expect((await receiptsTo(email))[0]?.text).not.toContain('spam.example')
  })

  it('mails every message, but at most one receipt per sender and hour', async () => {
    const email = randomEmail()
    const answers = await Promise.all(Array.from({ length: 20 }, () => contact(email)))
    expect(await receiptsTo(email)).toHaveLength(1)
    for (const { body } of answers) expect(await requestsFor(body.ticket_id)).toHaveLength(1)
    await db().supportTicket.updateMany({
      where: { email },
      data: { createdAt: secondsAfter(readClock(), -hour) },
    })
    await contact(email)
    expect(await receiptsTo(email)).toHaveLength(2)
  })

  // security: check-57
  it('quotes every line, so that no line of the message looks like ours', async () => {
    const message = 'Hello\r\n.\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script> {{7*7}} =cmd()'
    const { body } = await contact(randomEmail(), message)
    const [request] = await requestsFor(body.ticket_id)
    expect(request?.text).toContain(
      '> Hello\n> .\n> Bcc: all@example.com\n> \n> <script>alert(1)</script> {{7*7}} =cmd()\n',
    )
    expect(request?.subject).toBe(`Support request ${body.ticket_id}`)
  })

  it('accepts 5000 characters', async () => {
    expect((await contact(randomEmail(), 'x'.repeat(5000))).status).toBe(200)
  })
})

describe('by SMTP', () => {
  let server: SMTPServer | null = null
  afterEach(() => {
    server?.close()
    useConfig(before)
    forget('smtp')
  })

  /** Starts a mail server that stores its mails. */
  async function startSmtp(): Promise<{ url: string; mails: { to: string[]; text: string }[] }> {
    const mails: { to: string[]; text: string }[] = []
    const smtp = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const to = session.envelope.rcptTo.map(({ address }) => address)
          mails.push({ to, text: Buffer.concat(chunks).toString() })
          done()
        })
      },
    })
    server = smtp
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
    const { port } = smtp.server.address() as { port: number }
    return { url: `smtp://127.0.0.1:${port}`, mails }
  }

  // security: check-58
  it('sends only to support, replies go to the sender, and no line of the message is a header', async () => {
    const email = randomEmail()
    const { body } = await contact(
      email,
      'Hi\nBcc: all@example.com\nSubject: changed\n\nFrom: else@example.com',
    )
    const { url, mails } = await startSmtp()
    forget('smtp')
    useConfig({ smtp: { url, from: 'beak@localhost' } })
    await sendSupport({ ticket_id: body.ticket_id, letter: 'request' }, readClock())
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to).toEqual([config().supportEmail])
    const [head = ''] = (mails[0]?.text ?? '').split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^Reply-To: <?${email}>?$`, 'm'))
    expect(head).toMatch(new RegExp(`^Subject: Support request ${body.ticket_id}$`, 'm'))
    expect(head).not.toMatch(/^Bcc:/im)
    expect(head.match(/^From:/gim)).toHaveLength(1)
  })
})

describe('400', () => {
  it.each([
    [{ message: 'Hi' }, 'email'],
    [{ email: 'a@example.com' }, 'message'],
    [{ email: 'a@example.com', message: '' }, 'message'],
    [{ email: 'a@example.com', message: ' \n ' }, 'message'],
    [{ email: 'a@example.com', message: 'x'.repeat(5001) }, 'message'],
    [{ email: 'a@example.com', message: 'a\u001b[31m' }, 'message'],
    [{ email: 'a@example.com\nBcc: b@example.com', message: 'Hi' }, 'email'],
    [{ email: 'a@example.com', message: 'Hi', ticket_id: 'TKT-1' }, 'ticket_id'],
  ])('names the invalid field in %j', async (body, field) => {
    const answer = await call('POST /beak/support/contact', { body })
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field])
  })
})
