/** Rules for the demo data and the tests, made with the commands of the domain. */
import type { RuleRequest } from '@beak/proofs/rules/rule'
import { RuleRequest as RuleRequestSchema } from '@beak/proofs/rules/rule'
import type { z } from 'zod'
import { challengePasskey } from '@/lib/domain/pecks/decide/challenge'
import { createRule } from '@/lib/domain/pecks/rules/commands'
import type { PresentedRuleInput } from '@/lib/domain/pecks/rules/schema'
import type { Authenticator } from './authenticator'
import type { ADuckling } from './ducklings'

export type SentRule = z.input<typeof RuleRequestSchema>

/** Returns a complete rule of requests to pay invoices of at most €50.00 to a shop. */
export const shopRule = (agentId: string, change: Partial<SentRule> = {}): SentRule => ({
  agent_id: agentId,
  actions: ['pay:invoice'],
  params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
  answer: 'approve',
  ...change,
})

/** Makes a rule that a passkey of the owner signs. */
export async function aRule(
  owner: Pick<ADuckling, 'context'>,
  authenticator: Authenticator,
  sent: SentRule,
): Promise<PresentedRuleInput> {
  const rule: RuleRequest = RuleRequestSchema.parse(sent)
  const options = await challengePasskey(await owner.context(), { purpose: 'rule', rule })
  return createRule(await owner.context(), { rule, passkey: authenticator.get(options) })
}
