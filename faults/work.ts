/** What the worker does, as ceremonies. Each runs again after a crash, as the worker would. */
import { db } from '@/lib/db/client'
import { finishRejections } from '@/lib/domain/pecks/decide/held-rejections'
import { rejectPeck } from '@/lib/domain/pecks/decide/reject'
import { expirePecks } from '@/lib/domain/pecks/expire'
import { appendToLog } from '@/lib/domain/tlog/append'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { aWebhook, elevate } from '@/lib/fixtures/webhooks'
import { readClock, secondsAfter } from '@/lib/kernel/clock'
import { drainOutbox } from '@/lib/worker/start'
import type { Ceremony } from './crash'
import { startReceiver } from './receiver'
import { makeDue } from './time'

let receiver: ReturnType<typeof startReceiver> | null = null

/** Returns the address of a receiver that takes everything. */
async function receiverUrl(): Promise<string> {
  receiver ??= startReceiver()
  return (await receiver).url
}

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
          () => 'unavailable',
        )
    },
    mayRepeat,
    wait: makeDue,
    waitsAlways: true,
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
    // A mail that was sent and not recorded stays for the pause of ten minutes.
    ['Outbox peck_mail'],
  ),
  work(
    'the worker delivers a webhook',
    async () => {
      const { owner } = await aWebhook(await receiverUrl())
      await elevate(owner)
      return drainOutbox
    },
    // A delivery whose result was not recorded is sent again.
    ['WebhookAttempt'],
  ),
  work('the worker appends to the transparency log', async () => {
    await appendToLog(readClock(), { force: true })
    await aDuckling()
    return () => appendToLog(readClock(), { force: true })
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
