import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { checkStatus } from '@/lib/domain/status/check-status'
import { mailSettings } from '@/lib/fixtures/mail'
import type { Plan } from '@/lib/infrastructure/worker/plan'
import { workOn } from '@/lib/infrastructure/worker/pool'
import { config, useConfig as replaceConfig } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { forget } from '@/lib/kernel/runtime/singleton'
import { mailError } from './not-delivered'
import { sendMail, sendSms } from './send'

beforeEach(async () => {
  forget('mail.refused')
  await db().outbox.deleteMany()
  await db().run`DELETE FROM "WebhookQueue"`
})

/** A mail server that gives these replies to commands, and 250 to others. Closes the connection after 421. */
async function aRefusingServer(replies: Record<string, string>): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const say = (line: string) => {
      socket.write(`${line}\r\n`)
      if (line.startsWith('421')) socket.end()
    }
    say(replies.connect ?? '220 mail.example')
    let isData = false
    socket.on('data', (chunk) => {
      for (const line of String(chunk)
        .split('\r\n')
        .filter((one) => one !== '')) {
        const name = /^(?:EHLO|HELO|MAIL|RCPT|DATA|QUIT|RSET)/.exec(line)?.[0]
        if (isData) {
          if (line !== '.') continue
          isData = false
          say(replies.content ?? '250 taken')
        } else if (name === 'DATA' && !replies.DATA) {
          isData = true
          say('354 go on')
        } else say(replies[name ?? ''] ?? '250 OK')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  mailSettings((server.address() as { port: number }).port)
}

const mail = { kind: 'notice', to: 'nobody@pond.example', subject: 'Hello', text: 'Hello.' }

describe('a mail that is not delivered', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an unknown mailbox', { RCPT: '550 5.1.1 No such user here' }, 'doubtful'],
    ['a mailbox that was disabled', { RCPT: '550 5.2.1 disabled' }, 'doubtful'],
    ['an unknown mailbox, without an enhanced code', { RCPT: '550 no such user' }, 'doubtful'],
    ['a relay that is denied, without an enhanced code', { RCPT: '550 Relaying denied' }, 'provider'],
    ['a relay that is not permitted', { RCPT: '550 relay not permitted' }, 'provider'],
    ['a sender that is refused at the recipient', { RCPT: '550 Sender rejected' }, 'provider'],
    ['a sender that is refused, without an enhanced code', { MAIL: '550 unknown' }, 'provider'],
    ['content that is refused for ever', { content: '550 no' }, 'deferred'],
    ['a server that takes no content', { DATA: '550 no' }, 'deferred'],
    ['a greylist', { RCPT: '451 4.7.1 Greylisted, try again later' }, 'deferred'],
    ['a full mailbox', { RCPT: '452 4.2.2 Mailbox full' }, 'deferred'],
    ['content that is refused', { content: '554 5.7.1 Looks like spam' }, 'deferred'],
    ['our address on a block list', { RCPT: '550 5.7.1 Your address is blocked' }, 'provider'],
    ['a sender that is not allowed', { MAIL: '550 5.7.1 Not yours' }, 'provider'],
    ['a server that is busy', { connect: '421 4.3.2 Too busy' }, 'provider'],
    ['a server that closes', { RCPT: '421 4.7.0 Too many' }, 'provider'],
  ])('because of %s', async (_, replies, refusal) => {
    await aRefusingServer(replies)
    await expect(sendMail(mail)).rejects.toMatchObject({ name: 'NotDelivered', refusal })
  })

  it('because nobody listens is a fault of the server', async () => {
    mailSettings(9)
    await expect(sendMail(mail)).rejects.toMatchObject({
      refusal: 'provider',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(mailError(new Error('anything')).refusal).toBe('provider')
  })
})

describe('a text message that is not delivered', () => {
  it.each([
    ['a number that is none', 400, { code: 21211 }, 'refused'],
    ['a person who has unsubscribed', 400, { code: 21610 }, 'refused'],
    ['a sender that is not ours', 400, { code: 21212 }, 'provider'],
    ['a wrong token', 401, { code: 20003 }, 'provider'],
    ['an answer that is no JSON', 502, 'Bad gateway', 'provider'],
  ])('because of %s', async (_, status, body, refusal) => {
    const { port } = await listening((_request, response) =>
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)),
    )
    const before = config()
    onTestFinished(() => replaceConfig(before))
    replaceConfig({
      twilio: {
        accountSid: 'AC1',
        authToken: 'none',
        from: '+15005550006',
        apiUrl: `http://127.0.0.1:${port}`,
      },
    })
    await expect(sendSms({ ...mail, to: '+15005550001', subject: null })).rejects.toMatchObject({ refusal })
  })
})

/** Starts an HTTP server that answers so. */
async function listening(answer: RequestListener): Promise<{ port: number }> {
  const server = createHttpServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return server.address() as { port: number }
}

/** Works on one notice, whose mail goes to the server of the test. Returns the row, and the outbox in the status after some seconds. */
async function attemptOnce(attempts = 1): Promise<{
  failedAt: Date | null
  outboxAfter: (seconds: number) => Promise<unknown>
}> {
  const now = readClock()
  const claimedUntil = secondsAfter(now, 10)
  const jobs: Plan['jobs'] = { notice: { run: () => sendMail(mail), retries: [7200, 7200] } }
  const data = { kind: 'notice', payload: {}, dueAt: now, createdAt: now, claimedUntil, attempts } as const
  const { id } = await db().outbox.create({ data })
  await workOn(jobs, { id, kind: 'notice', payload: {}, attempts, claimedUntil })
  const row = await db().outbox.findUniqueOrThrow({ where: { id } })
  const outboxAfter = async (seconds: number) => {
    forget('cached.work')
    const { components } = await checkStatus(secondsAfter(now, seconds))
    return components.find(({ name }) => name === 'outbox')?.status
  }
  return { failedAt: row.failedAt, outboxAfter }
}

describe('one waiting mail', () => {
  it('makes the status degraded a minute after a dead mail server refused it first, and no more after its delivery', async () => {
    mailSettings(9)
    const { failedAt, outboxAfter } = await attemptOnce()
    expect(failedAt).toBeNull()
    expect(await outboxAfter(55)).toBe('operational')
    expect(await outboxAfter(65)).toBe('degraded')
    await db().outbox.deleteMany()
    expect(await outboxAfter(65)).toBe('operational')
  })

  it('on a greylist makes the status degraded only after 20 minutes', async () => {
    await aRefusingServer({ RCPT: '451 4.7.1 Greylisted' })
    const { outboxAfter } = await attemptOnce()
    expect(await outboxAfter(19 * 60)).toBe('operational')
    expect(await outboxAfter(21 * 60)).toBe('degraded')
  })

  it('to nobody is given up at the second refusal, is kept as failed, and says nothing about the service', async () => {
    const replies = { RCPT: '550 5.1.1 No such user' }
    await aRefusingServer(replies)
    const { failedAt, outboxAfter } = await attemptOnce()
    expect(failedAt).toBeNull()
    expect(await outboxAfter(3600)).toBe('operational')
    replies.RCPT = '250 OK'
    await sendMail({ ...mail, to: 'somebody@pond.example' })
    replies.RCPT = '550 5.1.1 No such user'
    expect((await attemptOnce(2)).failedAt).not.toBeNull()
    expect(await outboxAfter(3600)).toBe('operational')
  })

  it('is kept while the server has taken no other one since it refused this one', async () => {
    await aRefusingServer({ RCPT: '550 5.1.1 No such user' })
    expect((await attemptOnce()).failedAt).toBeNull()
    const { failedAt, outboxAfter } = await attemptOnce(2)
    expect(failedAt).toBeNull()
    expect(await outboxAfter(3600)).toBe('operational')
  })
})

describe('a mail server that refuses everybody for an hour', () => {
  it('loses no mail, makes the status degraded, and is the reason until it takes a mail', async () => {
    const replies = { RCPT: '550 5.1.1 User unknown' }
    await aRefusingServer(replies)
    const sendTo = (to: string) => sendMail({ ...mail, to })
    await sendTo('first@pond.example').catch(() => undefined)
    await sendTo('second@pond.example').catch(() => undefined)
    await expect(sendTo('second@pond.example')).rejects.toMatchObject({ refusal: 'doubtful' })
    const { failedAt, outboxAfter } = await attemptOnce(2)
    expect(failedAt).toBeNull()
    expect(await outboxAfter(65)).toBe('degraded')
    await expect(sendTo('first@pond.example')).rejects.toMatchObject({ refusal: 'provider' })
    replies.RCPT = '250 OK'
    await sendTo('first@pond.example')
    replies.RCPT = '550 5.1.1 User unknown'
    await expect(sendTo('third@pond.example')).rejects.toMatchObject({ refusal: 'doubtful' })
    await expect(sendTo('second@pond.example')).rejects.toMatchObject({ refusal: 'refused' })
  })
})
