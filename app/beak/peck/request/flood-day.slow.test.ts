/**
 * A day of simulated flood against one person, counting what reaches her (contract F, Askers and Mail). The clock is moved in steps of ten
 * minutes, and everything that is due is sent.
 */
import { expect, it, onTestFinished, vi } from 'vitest'
import { type CallOptions, call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { remindOfPecks } from '@/lib/domain/pecks/mail/remind'
import { anAgent } from '@/lib/factories/agents'
import { type ADuckling, aDuckling } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { acquaint } from '@/lib/factories/pecks'
import { aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { config, useConfig } from '@/lib/kernel/config'
import { defaultLimits, perDay } from '@/lib/kernel/config/limits'
import { minute, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

const stepSeconds = 10 * minute
/** The sessions of the attackers last a day. */
const steps = 143

/** The most codes that all requesters together can send to one address (contract A, OTP). */
const codesOfDay = 60

/** The most that a budget gives in a day: what it holds, and what is refilled. */
const dayOf = (group: 'ask' | 'strangers') => defaultLimits[group].burst + perDay(defaultLimits[group])

// security: asker-2
it('reaches a person with few requests, events, webhooks and mails, whatever is tried in 24 hours', async () => {
  const before = config()
  const { ask, strangers, code } = defaultLimits
  useConfig({ limits: { ...before.limits, ask, strangers, code } })
  onTestFinished(() => useConfig(before))
  const victim = await aDuckling()
  const receiver = await aReceiver()
  await aWebhook(receiver.url, { owner: victim })
  const known = await aDuckling()
  const agents = [await anAgent(known), await anAgent(known), await anAgent(known)]
  for (const { agentId } of agents) await acquaint(victim, agentId)
  const fresh = await Promise.all(Array.from({ length: 12 }, () => aDuckling()))
  const start = readClock()
  const { seq: eventsBefore } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: victim.id } })
  await sentTo(victim.email)
  const mailsBefore = (await sentTo(victim.email)).length
  receiver.requests.length = 0

  vi.useFakeTimers({ toFake: ['Date'], now: start })
  onTestFinished(() => void vi.useRealTimers())
  const seen = new Set<string>()
  for (let step = 0; step < steps; step++) {
    vi.setSystemTime(secondsAfter(start, step * stepSeconds))
    for (const { beakKey } of agents) await askAndCancel({ key: beakKey }, victim, `pay:invoice${step}`)
    for (const { token } of fresh) await askAndCancel({ token }, victim, `read:page${step}`)
    // From another network each time.
    await call('POST /beak/signin/otp', { body: { email: victim.email } })
    await remindOfPecks(readClock())
    await drainOutbox()
    for (const id of await inboxOf(victim)) seen.add(id)
    // She rejects what she sees in the morning, at noon and in the evening.
    if ([48, 72, 108].includes(step)) await rejectAll(victim)
  }

  const mails = (await sentTo(victim.email)).slice(mailsBefore)
  const count = (kind: string) => mails.filter((mail) => mail.kind === kind).length
  const { seq } = await db().auditChain.findUniqueOrThrow({ where: { ducklingId: victim.id } })
  const asked = dayOf('ask') + dayOf('strangers')
  expect(seen.size).toBeLessThanOrEqual(asked)
  expect(receiver.requests.length).toBeLessThanOrEqual(2 * asked)
  // Each request is sent, and cancelled or rejected. Each code is sent.
  expect(seq - eventsBefore).toBeLessThanOrEqual(2 * asked + codesOfDay)
  expect(count('signin_code')).toBeLessThanOrEqual(codesOfDay)
  // The agents withdraw and ask again, six times in a step: the twenty requests of their person come in four steps. A mail gathers for ten seconds, and
  // the next one waits ten minutes, so two steps share a mail. The first mail has those of the strangers, too.
  expect(count('peck_waiting')).toBe(2)
}, 300_000)

/** Asks, cancels and asks again, as often as the service lets it. */
async function askAndCancel(from: CallOptions, { id }: ADuckling, action: string): Promise<void> {
  for (const again of [false, true]) {
    const body = { target_duckling_id: id, action, scope: 'limited', params: { again } }
    const { status, body: peck } = await call('POST /beak/peck/request', { ...from, body })
    if (status === 200 && !again)
      await call('POST /beak/peck/cancel', { ...from, body: { peck_id: peck.peck_id } })
  }
}

async function inboxOf({ token }: ADuckling): Promise<string[]> {
  const { body } = await call('GET /beak/peck/inbox?limit=1000', { token })
  return body.items.map(({ peck_id }: { peck_id: string }) => peck_id)
}

async function rejectAll(victim: ADuckling): Promise<void> {
  const peck_ids = (await inboxOf(victim)).slice(0, 100)
  if (peck_ids.length === 0) return
  const body = { decision: 'reject', peck_ids, reason: 'No' }
  await call('POST /beak/peck/decide', { token: victim.token, body })
}
