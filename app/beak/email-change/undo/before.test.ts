/** What a thief prepares before changing the address: the undo names it (contract F, Undo of a change of address). */
import { describe, expect, it } from 'vitest'
import { call } from '@/app/beak/_api/call'
import { db } from '@/lib/db/client'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling, aHandle, through } from '@/lib/factories/ducklings'
import { sentTo } from '@/lib/factories/outbox'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { anotherSession, changeAddress, undoLinkTo } from '@/lib/fixtures/accounts'
import { hour, readClock, secondsAfter } from '@/lib/kernel/runtime/clock'

async function takeover(hoursLater: number) {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const agent = await anAgent(owner)
  const { rule_id } = await aRule(owner, authenticator, shopRule(agent.agentId, { actions: ['pay:bill'] }))
  await aRule(owner, authenticator, shopRule(agent.agentId))
  await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: readClock() } })
  const post = (path: string, body: object) => call(`POST /beak/${path}`, { token: owner.token, body })
  await post('handle/claim', { handle: aHandle() })
  await post('notifications/update', { channels: { mail: { requests: 'none' } } })
  await post('handle/release', {})
  await post('profile/update', { findable_by_email: true })
  await post('rule/budget', { agent_id: agent.agentId, budget: { uses: 1 } })
  await post('rule/end', { rule_id })
  const thief = through(owner, await anotherSession(owner))
  await db().session.updateMany({ where: { ducklingId: owner.id }, data: { passkeyAt: readClock() } })
  await changeAddress(thief)
  const changedAt = secondsAfter(readClock(), hoursLater * hour)
  await db().mailLink.updateMany({ where: { ducklingId: owner.id }, data: { createdAt: changedAt } })
  const undone = await call('POST /beak/email-change/undo', {
    body: { token: await undoLinkTo(owner.email) },
  })
  expect(undone.status).toBe(200)
  const event = await db().auditEvent.findFirstOrThrow({
    where: { ducklingId: owner.id, action: 'duckling.email_restored' },
  })
  const mail = (await sentTo(owner.email)).find(({ kind }) => kind === 'email_restored')
  const paid = await aPeck(agent, owner, {
    action: 'pay:invoice',
    params: { amount: '€38.00', to: 'shop@example.com' },
  })
  return {
    settings: (event.metadata as { settings: string[] }).settings,
    text: mail?.text,
    paid: paid.status,
  }
}

describe('the undo of a change of address', () => {
  // security: session-9
  it('names settings that were changed in the day before, and pauses all rules', async () => {
    const { settings, text, paid } = await takeover(23)
    for (const event of [
      'duckling.updated',
      'handle.released',
      'notifications.updated',
      'rule.ended',
      'rule.updated',
    ])
      expect(settings).toContain(event)
    for (const words of [
      'profile and rules for requests',
      'handle',
      'notifications',
      'your rules are paused',
    ])
      expect(text?.replaceAll(/\s+/g, ' ')).toContain(words)
    expect(paid).toBe('pending')
  })

  it('names none that were changed earlier, and leaves the rules as they are', async () => {
    const { settings, paid } = await takeover(25)
    expect([settings, paid]).toEqual([[], 'approved'])
  })
})
