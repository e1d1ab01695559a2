/** What the worker does, as ceremonies. Each runs again after a crash, as the worker would. */
import { randomUUID } from 'node:crypto'
import { db } from '@/lib/db/client'
import { addChannel } from '@/lib/domain/channels/channels'
import { rejectPeck } from '@/lib/domain/pecks/decide/decline'
import { finishRejections } from '@/lib/domain/pecks/decide/held-rejections'
import { expirePecks } from '@/lib/domain/pecks/record'
import { settleUses } from '@/lib/domain/pecks/rules/report'
import { appendToLog } from '@/lib/domain/tlog/append'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, provedContext } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aBrowser } from '@/lib/fixtures/browser-push'
import { aWebhook, elevate } from '@/lib/fixtures/webhooks'
import { day, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'
import type { Ceremony } from './crash'
import { type Receiver, startReceiver } from './receiver'
import { makeDue } from './time'

let started: Promise<Receiver> | null = null

/** Returns a receiver that takes everything. */
function receiver(): Promise<Receiver> {
  started ??= startReceiver()
  return started
}

/** Something that a repeat must never do. */
class NeverRight extends Error {}

/** What the worker does. Its errors go to its log, and it tries again. */
function work(
  name: string,
  prepare: () => Promise<() => Promise<unknown>>,
  mayRepeat: string[] = [],
): Ceremony {
  return {
    name,
    prepare: async () => {
      await makeDue()
      await drainOutbox()
      const run = await prepare()
      return () =>
        run().then(
          () => 'done',
          (error) => (error instanceof NeverRight ? error.message : 'unavailable'),
        )
    },
    mayRepeat,
    wait: makeDue,
    waitsAlways: true,
  }
}

/**
 * Announces a request on a phone. Returns its id, and work that brings the phone a later message: the push service refuses the first attempt.
 * Throws when the phone gets the message twice.
 */
async function announced() {
  const { url, refuseNext, countTaken } = await receiver()
  const [asker, target] = [await aDuckling(), await aDuckling()]
  await acquaint(target, asker.id)
  const path = `/send/${randomUUID()}`
  const { subscription } = aBrowser(new URL(path, url).href)
  await addChannel(await provedContext(target), { kind: 'push', subscription })
  const { peck_id: id } = await aPeck(asker, target)
  await drainOutbox()
  refuseNext(path)
  return {
    id,
    target,
    async sendNext() {
      await drainOutbox()
      await makeDue()
      await drainOutbox()
      if (countTaken(path) > 2) throw new NeverRight('a message was sent twice')
    },
  }
}

export const workerSteps: readonly Ceremony[] = [
  work(
    'the worker sends a code',
    async () => {
      await aDuckling({ tier: 'T0' })
      return drainOutbox
    },
    // A code that may not have arrived is made and sent again.
    ['AuditEvent code.sent'],
  ),
  work(
    'the worker sends notices and the mail about a request',
    async () => {
      const [asker, target] = [await aDuckling(), await aDuckling()]
      await aPasskey(target)
      await acquaint(target, asker.id)
      await aPeck(asker, target)
      return drainOutbox
    },
    // A mail that was sent and not recorded stays for the pause of ten minutes. A notice is sent again, with a new link.
    ['Outbox peck_mail', 'MailLink'],
  ),
  work(
    'the worker delivers a webhook',
    async () => {
      const { owner } = await aWebhook((await receiver()).url)
      await elevate(owner)
      return drainOutbox
    },
    // A delivery whose result was not recorded is sent again.
    ['WebhookAttempt'],
  ),
  work(
    'the worker announces a request on a channel',
    async () => {
      const [asker, target] = [await aDuckling(), await aDuckling()]
      await acquaint(target, asker.id)
      // A reminder would be due too when the work is repeated.
      await db().notificationSettings.create({ data: { ducklingId: target.id, mailReminders: false } })
      await addChannel(await provedContext(target), { kind: 'ntfy', url: `${(await receiver()).url}pond` })
      await aPeck(asker, target)
      return drainOutbox
    },
    // A message without a recorded result is not sent again: mail announces the request too.
    ['PeckAnnouncement', 'PeckMail', 'PeckNotice', 'Outbox peck_mail', 'MailLink'],
  ),
  work(
    'the worker reminds on a channel that fails first',
    async () => {
      const { id, sendNext } = await announced()
      await makeDue()
      await db().outbox.findFirstOrThrow({ where: { payload: { equals: { peck_id: id, about: 'remind' } } } })
      return sendNext
    },
    // A reminder without a recorded result is not sent again: mail tells of the request too.
    ['PeckAnnouncement', 'PeckMail', 'PeckNotice', 'Outbox peck_mail', 'MailLink'],
  ),
  work('the worker takes a notification away on a channel that fails first', async () => {
    const { id, target, sendNext } = await announced()
    await rejectPeck(await target.context(), id, 'No')
    return sendNext
  }),
  work('the worker appends to the transparency log', async () => {
    await appendToLog(readClock(), { force: true })
    await aDuckling()
    return () => appendToLog(readClock(), { force: true })
  }),
  work('the worker gives back what a rule allowed', async () => {
    const owner = await aDuckling()
    const { authenticator } = await aPasskey(owner)
    const agent = await anAgent(owner)
    await aRule(owner, authenticator, shopRule(agent.agentId, { budget: { amount: '€100.00', uses: 3 } }))
    await aPeck(agent, owner, {
      action: 'pay:invoice',
      params: { amount: '€38.00', to: 'shop@example.com' },
    })
    return () => settleUses(secondsAfter(readClock(), 2 * day))
  }),
  work('the worker expires a request', async () => {
    const { peck_id: id } = await aPeck(await aDuckling(), await aDuckling())
    await db().peck.update({ where: { id }, data: { expiresAt: readClock() } })
    return () => expirePecks(readClock())
  }),
  work('the worker lets a rejection take effect', async () => {
    const [asker, target] = [await aDuckling(), await aDuckling()]
    const { peck_id: id } = await aPeck(asker, target)
    await rejectPeck(await target.context(), id, 'No', { undoSeconds: 10 })
    return () => finishRejections(secondsAfter(readClock(), 11))
  }),
]
