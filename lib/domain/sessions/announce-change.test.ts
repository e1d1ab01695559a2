/** Mails about sensitive changes (contract F, Sensitive changes). */
import { expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { sendNotice } from '@/lib/domain/identity/send-notice'
import { type ADuckling, aDuckling, through } from '@/lib/factories/ducklings'
import { codeFor, sentTo } from '@/lib/factories/outbox'
import { aPasskey, confirmWithPasskey } from '@/lib/factories/passkeys'
import { secondsAfter } from '@/lib/kernel/runtime/clock'

const notice = 'sensitive_change'

const changesTo = async ({ email }: ADuckling) =>
  (await sentTo(email)).filter(({ kind }) => kind === notice).map(({ text }) => text)

async function register({ token }: ADuckling, name: string): Promise<void> {
  const body = { agent_name: name, agent_type: 'assistant', capabilities: ['read:profile'] }
  expect((await call('POST /beak/agent/register', { token, body })).status).toBe(200)
}

async function signInByCode(owner: ADuckling): Promise<ADuckling> {
  const { email } = owner
  await call('POST /beak/signin/otp', { body: { email } })
  const { body } = await call('POST /beak/signin', { body: { email, otp: await codeFor(email) } })
  return through(owner, body.token)
}

it('mails the first change at once, and further ones together a minute later, each with "This wasn\'t me"', async () => {
  const owner = await aDuckling()
  await register(owner, 'First')
  expect(await changesTo(owner)).toEqual([
    expect.stringMatching(/"First"[\s\S]*This wasn't me:?\s+http\S+\/not-me/),
  ])
  const { authenticator } = await aPasskey(owner)
  const second = await signInByCode(owner)
  for (const session of [owner, second]) await confirmWithPasskey(session, authenticator)
  await register(owner, 'Second')
  await register(second, 'Third')
  await register(second, 'Fourth')
  expect(await changesTo(owner)).toHaveLength(1)
  const payload = { duckling_id: owner.id, notice } as const
  const { mailedAt } = await db().notice.findUniqueOrThrow({
    where: { ducklingId_kind: { ducklingId: owner.id, kind: notice } },
  })
  const minuteLater = secondsAfter(mailedAt ?? new Date(0), 60)
  const waiting = await db().outbox.findMany({
    where: { kind: 'notice_since_0_3', payload: { equals: payload } },
  })
  expect(waiting.map(({ dueAt }) => dueAt)).toEqual([minuteLater])
  await expect(sendNotice(payload, secondsAfter(minuteLater, -1))).rejects.toMatchObject({
    until: minuteLater,
  })
  expect(await changesTo(owner)).toHaveLength(1)
  await sendNotice(payload, minuteLater)
  const [, merged = '', ...others] = await changesTo(owner)
  expect(others).toEqual([])
  // A passkey authenticated the second session, so a link of the mail must not end the session.
  expect(merged.match(/"(?:Second|Third|Fourth)"|\/not-me|\/security#sessions/g)).toEqual([
    '"Second"',
    '/not-me',
    '"Third"',
    '/security#sessions',
    '"Fourth"',
    '/security#sessions',
  ])
})
