import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { db } from '@/lib/db/client'
import { aDuckling } from '@/lib/factories/ducklings'
import { acquaint, aPeck } from '@/lib/factories/pecks'
import { startInstance } from '@/lib/fixtures/bundle'
import { aMailServer } from '@/lib/fixtures/mail'
import { describeOnPostgres } from '@/lib/fixtures/source-files'
import { config } from '@/lib/kernel/config'

/** Starts a process that sends mails to the mail server of the test. */
async function startWorkerProcess(): Promise<ChildProcess> {
  const { url: SMTP_URL = '', from: MAIL_FROM = '' } = config().smtp ?? {}
  const { child } = startInstance('lib/fixtures/outbox-worker.ts', { SMTP_URL, MAIL_FROM })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describeOnPostgres('a mail about pecks', () => {
  it.each([
    ['a low risk', 'read:a', 'read:b', 'announce'],
    ['a high risk', 'delete:database', 'delete:backups', 'alert'],
  ])(
    'of %s is sent again with the same Message-ID when its process is killed before it records the mail',
    {
      timeout: 90_000,
    },
    async (_, action, nextAction, waiting) => {
      const [asker, target] = [await aDuckling(), await aDuckling()]
      await acquaint(target, asker.id)
      let killed: Promise<unknown> | null = null
      // The worker also sends what tests before this one left in the database.
      const server = await aMailServer(async (recipients) => {
        if (!recipients.includes(target.email)) return
        // The mail has arrived, but its sender does not hear of it any more.
        if (killed === null) {
          killed = once(first, 'exit')
          first.kill('SIGKILL')
          await killed
        }
      })
      const ownMails = () => server.mails.filter((mail) => mail.includes(`To: ${target.email}`))
      const first = await startWorkerProcess()
      const announced = await aPeck(asker, target, { action })
      await expect.poll(() => ownMails().length, { timeout: 20_000 }).toBe(1)
      const added = await aPeck(asker, target, { action: nextAction })
      await startWorkerProcess()
      await expect.poll(() => ownMails().length, { timeout: 30_000 }).toBe(2)
      const mails = ownMails()
      const messageIds = mails.map((mail) => /^Message-ID: (.+)\r$/im.exec(mail)?.[1])
      expect(messageIds[0]).toMatch(/^<peck-.+>$/)
      expect(messageIds[1]).toBe(messageIds[0])
      for (const mail of mails) {
        expect(mail).toContain(announced.peck_id)
        expect(mail).not.toContain(added.peck_id)
      }
      const stages = () =>
        db().peckMail.findMany({ where: { ducklingId: target.id }, orderBy: { peckId: 'asc' } })
      await expect
        .poll(async () => (await stages()).map(({ stage }) => stage))
        .toEqual(['announced', waiting])
    },
  )
})
