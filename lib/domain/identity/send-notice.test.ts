import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { transaction } from '@/lib/db/transaction'
import { rotateKey } from '@/lib/domain/agents/credentials'
import { sendText } from '@/lib/domain/codes/texts'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling, randomEmail } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aMailServer, withoutProvider } from '@/lib/fixtures/mail'
import { nextDay } from '@/lib/infrastructure/events/handover'
import {
  enqueue,
  enqueueNotice,
  type NoticeFacts,
  type NoticeName,
  Postponed,
} from '@/lib/infrastructure/events/outbox'
import { type MailUrgency, sendUnsolicited } from '@/lib/infrastructure/mail/unsolicited'
import { config } from '@/lib/kernel/config'
import { readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainPool } from '@/lib/worker/start'
import { sendLetter, sendNotice } from './send-notice'

/** Returns the mails of one kind to the account. */
async function noticesTo({ email }: ADuckling, kind: string) {
  return (await sentTo(email)).filter((mail) => mail.kind === kind)
}

const phishingName = 'Your account is locked. Unlock at https://evil.example/u'

/** Rotates the key of an agent with that name the given number of times. */
async function rotateKeys(owner: ADuckling, name: string, times: number): Promise<void> {
  const { agentId } = await anAgent(owner)
  await db().agent.update({ where: { id: agentId }, data: { name } })
  for (let turn = 0; turn < times; turn++) await rotateKey(await owner.context(), agentId, 90)
}

describe('the notice of rotated keys', () => {
  it('is mailed once for 320 rotations, and its button ends the session that did them', {
    timeout: 180_000,
  }, async () => {
    const owner = await aDuckling()
    await rotateKeys(owner, phishingName, 320)
    const mails = await noticesTo(owner, 'key_rotated')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('This happened 320 times')
    expect(mails[0]?.text).toContain('"Your account is locked.')
    expect(mails[0]?.text).not.toMatch(/evil|https?:(?!\/\/localhost:3000\/not-me)/)
    const links = mails[0]?.text.match(/\/not-me\S+/g) ?? []
    expect(links).toHaveLength(1)
    expect(await noticesTo(owner, 'key_rotated')).toHaveLength(1)
  })

  it('is not mailed to an address that was never verified', async () => {
    const stranger = await aDuckling({ tier: 'T0' })
    await rotateKeys(stranger, phishingName, 12)
    expect((await sentTo(stranger.email)).map(({ kind }) => kind)).toEqual(['signup_code'])
  })
})

const enqueueFor = ({ id }: ADuckling, notice: NoticeName, facts: NoticeFacts = {}, now = readClock()) =>
  transaction(async (tx) => enqueueNotice(tx, now, id, notice, facts))

const collectedBy = ({ id }: ADuckling, kind: NoticeName) =>
  db().notice.findUniqueOrThrow({ where: { ducklingId_kind: { ducklingId: id, kind } } })

const outboxRows = ({ id }: ADuckling) =>
  db().outbox.findMany({ where: { kind: 'notice', payload: { path: ['duckling_id'], equals: id } } })

const at = '2027-01-02T03:04:05.678Z'

describe('a notice that another version does not know', () => {
  it('has a kind of row that the worker of 0.2.0 leaves alone, and is mailed', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'sensitive_change', { change: 'passkey_added', name: 'Laptop', at })
    await enqueueFor(owner, 'passkey_added', { name: 'Laptop', at })
    const rows = await db().outbox.findMany({
      where: { payload: { path: ['duckling_id'], equals: owner.id } },
    })
    expect(rows.map(({ kind, payload }) => [kind, (payload as { notice: string }).notice]).sort()).toEqual([
      ['notice', 'passkey_added'],
      ['notice_since_0_3', 'sensitive_change'],
    ])
    expect(await noticesTo(owner, 'sensitive_change')).toHaveLength(1)
  })

  it('waits for a worker of a newer version, which does not count as an attempt', async () => {
    const owner = await aDuckling()
    const now = readClock()
    const later = new Postponed(secondsAfter(now, 60))
    const payload = { duckling_id: owner.id, notice: 'of_a_newer_version' as NoticeName, facts: { at } }
    await expect(sendNotice(payload, now)).rejects.toThrow(later)
    await expect(sendLetter({ to: owner.email, ...payload }, now)).rejects.toThrow(later)
    await expect(
      sendText({ duckling_id: owner.id, notice: 'of_a_newer_version' as 'approver_removal' }, now),
    ).rejects.toThrow(later)
  })
})

describe('a notice', () => {
  it('describes a single event in full', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'passkey_added', { name: 'Laptop', at })
    const [mail, ...others] = await noticesTo(owner, 'passkey_added')
    expect(mail?.text).toBe(
      [
        'The passkey "Laptop" was added.',
        'Device: unknown\nWhen: 2027-01-02 03:04 UTC',
        "If this was you, there is nothing to do. If not, sign in and sign out what you don't recognise. Then remove the passkey.",
        "This wasn't me (sign in first):",
        `${config().baseUrl}/security#sessions\n`,
      ].join('\n\n'),
    )
    expect(others).toEqual([])
    expect(await outboxRows(owner)).toEqual([])
  })

  it('merges the events before it is mailed, and describes the first five', async () => {
    const owner = await aDuckling()
    for (let turn = 1; turn <= 7; turn++)
      await enqueueFor(owner, 'key_rotated', { agent: `Scout ${turn}`, at })
    const mails = await noticesTo(owner, 'key_rotated')
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).toContain('This happened 7 times. The first 5:')
    expect(mails[0]?.text.match(/"Scout \d"/g)).toEqual([1, 2, 3, 4, 5].map((turn) => `"Scout ${turn}"`))
  })

  it('waits for ten minutes after the previous one of its kind', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })
    await enqueueFor(owner, 'passkey_added', { name: 'Laptop', at })
    expect(await noticesTo(owner, 'key_rotated')).toHaveLength(1)
    expect(await noticesTo(owner, 'passkey_added')).toHaveLength(1)
    const { mailedAt } = await collectedBy(owner, 'key_rotated')
    await enqueueFor(owner, 'key_rotated', { agent: 'Second', at })
    await enqueueFor(owner, 'key_rotated', { agent: 'Third', at })
    expect(await noticesTo(owner, 'key_rotated')).toHaveLength(1)
    const [waiting, ...others] = await outboxRows(owner)
    expect(others).toEqual([])
    expect(waiting?.dueAt).toEqual(secondsAfter(mailedAt ?? readClock(), 600))
    const payload = { duckling_id: owner.id, notice: 'key_rotated' as const }
    await sendNotice(payload, waiting?.dueAt ?? readClock())
    const mails = await noticesTo(owner, 'key_rotated')
    expect(mails).toHaveLength(2)
    expect(mails[1]?.text).toMatch(/This happened 2 times:[\s\S]*"Second"[\s\S]*"Third"/)
  })

  it('keeps its events when sending fails', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })
    await withoutProvider(() => drainPool('messages'))
    expect(await collectedBy(owner, 'key_rotated')).toMatchObject({ count: 1, mailedAt: null })
    await enqueueFor(owner, 'key_rotated', { agent: 'Second', at })
    expect(await outboxRows(owner)).toMatchObject([{ attempts: 1, failedAt: null }])
    await db().outbox.updateMany({ where: { kind: 'notice' }, data: { dueAt: readClock() } })
    expect((await noticesTo(owner, 'key_rotated'))[0]?.text).toMatch(/2 times:[\s\S]*"Scout"[\s\S]*"Second"/)
  })

  it('leaves events that happen while it is sent for the next one', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })
    const smtp = await aMailServer(async () => {
      if (smtp.mails.length === 0) await enqueueFor(owner, 'key_rotated', { agent: 'Second', at })
    })
    await drainPool('messages')
    expect(smtp.mails).toEqual([expect.stringContaining('"Scout"')])
    const { count, items, mailedAt } = await collectedBy(owner, 'key_rotated')
    expect([count, items]).toEqual([1, [{ agent: 'Second', at }]])
    expect(await outboxRows(owner)).toMatchObject([
      { dueAt: secondsAfter(mailedAt ?? readClock(), 600), attempts: 0, claimedUntil: null },
    ])
  })

  it('is not mailed again after a crash between sending and finishing', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })
    const payload = { duckling_id: owner.id, notice: 'key_rotated' as const }
    await sendNotice(payload, readClock())
    expect(await noticesTo(owner, 'key_rotated')).toHaveLength(1)
  })

  it('starts a new collection after the worker has given up', async () => {
    const owner = await aDuckling()
    await enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })
    await db().outbox.updateMany({ where: { kind: 'notice' }, data: { attempts: 10 } })
    await withoutProvider(() => drainPool('messages'))
    expect(await outboxRows(owner)).toMatchObject([{ failedAt: expect.any(Date) }])
    await enqueueFor(owner, 'key_rotated', { agent: 'Second', at })
    expect((await noticesTo(owner, 'key_rotated')).map(({ text }) => text.includes('"Second"'))).toEqual([
      true,
    ])
  })

  it('is sent for an outbox row with its own facts, but never to an unverified address', async () => {
    const [owner, stranger] = [await aDuckling(), await aDuckling({ tier: 'T0' })]
    for (const { id } of [owner, stranger])
      for (const notice of ['key_rotated', 'peck_waiting'] as const) {
        const facts = { agent: 'Scout', summary: 'Agent "Scout" asks.', at }
        await transaction(async (tx) =>
          enqueue(tx, readClock(), 'notice', { duckling_id: id, notice, facts }),
        )
      }
    expect(await noticesTo(owner, 'key_rotated')).toHaveLength(1)
    expect(await noticesTo(owner, 'peck_waiting')).toHaveLength(1)
    expect((await sentTo(stranger.email)).map(({ kind }) => kind)).toEqual(['signup_code'])
  })

  it('about a sign-up attempt is also sent to an unverified address', async () => {
    const stranger = await aDuckling({ tier: 'T0' })
    await call('POST /beak/signup', { body: { email: stranger.email, display_name: 'Again1' } })
    expect(await noticesTo(stranger, 'signup_attempt')).toHaveLength(1)
  })

  it('merges 50 simultaneous events into one mail', async () => {
    const owner = await aDuckling()
    await Promise.all(
      Array.from({ length: 50 }, () => enqueueFor(owner, 'key_rotated', { agent: 'Scout', at })),
    )
    expect((await noticesTo(owner, 'key_rotated')).map(({ text }) => text.includes('50 times'))).toEqual([
      true,
    ])
  })
})

describe('the limit of 20 mails a day', () => {
  const kinds: NoticeName[] = ['key_rotated', 'passkey_added', 'new_device', 'certificate_revoked']

  /** Sends that many mails to the address today. Returns how many were delivered. */
  async function sendMany(to: string, urgency: MailUrgency, count: number): Promise<number> {
    const before = (await sentTo(to)).length
    for (let turn = 0; turn < count; turn++)
      await sendUnsolicited({ kind: 'test', to, subject: 'Test', text: 'Test' }, urgency, readClock()).catch(
        (error: unknown) => {
          if (!(error instanceof Postponed)) throw error
        },
      )
    return (await sentTo(to)).length - before
  }

  // security: stranger-39
  it('allows 5 mails by strangers, 15 ordinary and 20 urgent ones', async () => {
    const { email } = await aDuckling()
    expect(await sendMany(email, 'stranger', 8)).toBe(5)
    expect(await sendMany(email, 'account', 15)).toBe(10)
    expect(await sendMany(email, 'change', 8)).toBe(2)
    expect(await sendMany(email, 'urgent', 8)).toBe(3)
    expect(await sendMany(randomEmail(), 'urgent', 1)).toBe(1)
  })

  it('also limits simultaneous mails', async () => {
    const to = randomEmail()
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        sendUnsolicited({ kind: 'test', to, subject: 'Test', text: 'Test' }, 'urgent', readClock()),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await sentTo(to)).toHaveLength(20)
  })

  it('postpones a notice to the next day and merges it, without counting an attempt', async () => {
    const owner = await aDuckling()
    await sendMany(owner.email, 'urgent', 15)
    for (const kind of kinds) await enqueueFor(owner, kind, { agent: 'Scout', at })
    await enqueueFor(owner, 'key_rotated', { agent: 'Second', at })
    for (const kind of kinds) expect(await noticesTo(owner, kind)).toEqual([])
    const tomorrow = nextDay(readClock())
    expect(
      (await outboxRows(owner)).map(({ dueAt, attempts, failedAt }) => [dueAt, attempts, failedAt]),
    ).toEqual(kinds.map(() => [tomorrow, 0, null]))
    await sendNotice({ duckling_id: owner.id, notice: 'key_rotated' }, tomorrow)
    expect((await noticesTo(owner, 'key_rotated'))[0]?.text).toContain('2 times')
  })

  it('sends an urgent notice when the ordinary ones are used up', async () => {
    const owner = await aDuckling()
    await sendMany(owner.email, 'account', 20)
    await enqueueFor(owner, 'recovery_cancelled', { at })
    expect(await noticesTo(owner, 'recovery_cancelled')).toHaveLength(1)
  })

  it('drops receipts and newsletter mails over the limit, but delivers support requests', async () => {
    const email = randomEmail()
    await sendMany(email, 'stranger', 5)
    await call('POST /beak/newsletter/subscribe', { body: { email } })
    const { body } = await call('POST /beak/support/contact', { body: { email, message: 'Help' } })
    expect((await sentTo(email)).filter(({ kind }) => kind !== 'test')).toEqual([])
    const requests = await sentTo(config().supportEmail)
    expect(requests.filter(({ subject }) => subject?.includes(body.ticket_id))).toHaveLength(1)
    expect((await db().subscription.findUniqueOrThrow({ where: { email } })).tokenHash).toBeNull()
  })

  it('does not count codes and mails that could not be sent', async () => {
    const owner = await aDuckling()
    const failing = { kind: 'test', to: owner.email, subject: 'Test', text: 'Test' }
    for (let turn = 0; turn < 3; turn++)
      await withoutProvider(() =>
        expect(sendUnsolicited(failing, 'urgent', readClock())).rejects.toThrow('SMTP_URL is not set'),
      )
    expect(await sendMany(owner.email, 'urgent', 21)).toBe(20)
    await call('POST /beak/signin/otp', { body: { email: owner.email } })
    expect(await noticesTo(owner, 'signin_code')).toHaveLength(1)
  })
})
