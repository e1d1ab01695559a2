import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { db } from '@/lib/db/client'
import { endRule } from '@/lib/domain/pecks/rules/commands'
import { endExpiredRules } from '@/lib/domain/rules/end-rules'
import { anAgent } from '@/lib/factories/agents'
import { aDuckling } from '@/lib/factories/ducklings'
import { aPasskey } from '@/lib/factories/passkeys'
import { aPeck } from '@/lib/factories/pecks'
import { aRule, shopRule } from '@/lib/factories/rules'
import { aReceiver, aWebhook } from '@/lib/fixtures/webhooks'
import { readClock } from '@/lib/kernel/runtime/clock'
import { drainOutbox } from '@/lib/worker/start'

const kinds = ['rule.created', 'rule.spent', 'rule.exhausted', 'rule.ended']

/** Returns an owner with an agent, and what a receiver for events of rules has got so far. */
async function aListeningOwner() {
  const owner = await aDuckling()
  const { authenticator } = await aPasskey(owner)
  const agent = await anAgent(owner)
  const receiver = await aReceiver()
  const { secret } = await aWebhook(receiver.url, { owner, kinds })
  return {
    owner,
    makeRule: () => aRule(owner, authenticator, shopRule(agent.agentId, { budget: { uses: 1 } })),
    pay: (amount: string) =>
      aPeck(agent, owner, { action: 'pay:invoice', params: { amount, to: 'shop@example.com' } }),
    /** Runs the worker, and returns the verified messages by their kind. */
    async received() {
      await drainOutbox()
      return receiver.requests
        .map(({ body, headers }) => new Webhook(secret).verify(body, headers) as { type: string })
        .sort((left, right) => kinds.indexOf(left.type) - kinds.indexOf(right.type))
    },
  }
}

it('delivers that a rule was made, answered, had nothing left, and ended, each once', async () => {
  const { owner, makeRule, pay, received } = await aListeningOwner()
  const { rule_id, sentence } = await makeRule()
  const answered = await pay('€1.00')
  const asked = await pay('€2.00')
  await pay('€3.00')
  await endRule(await owner.context(), rule_id)
  await endRule(await owner.context(), rule_id)
  const about = { rule_id, sentence, peck_id: null, action: null, reason: null }
  const of = (peck: { peck_id: string }) => ({ ...about, peck_id: peck.peck_id, action: 'pay:invoice' })
  expect(await received()).toEqual(
    [
      { type: 'rule.created', data: about },
      { type: 'rule.spent', data: of(answered) },
      { type: 'rule.exhausted', data: of(asked) },
      { type: 'rule.ended', data: { ...about, reason: 'owner' } },
    ].map((message) => ({ ...message, timestamp: expect.any(String) })),
  )
})

it('delivers that a rule ended because its time is over', async () => {
  const { makeRule, received } = await aListeningOwner()
  const { rule_id } = await makeRule()
  await db().rule.update({ where: { id: rule_id }, data: { expiresAt: readClock() } })
  await endExpiredRules(readClock())
  expect((await received()).at(-1)).toMatchObject({
    type: 'rule.ended',
    data: { rule_id, reason: 'expired' },
  })
})
