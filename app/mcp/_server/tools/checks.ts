/** The tools that check what others show: certificates, agents and receipts; and who the agent itself is. */

import type { Params } from '@beak/decision/params'
import { checkWithPolicy } from '@beak/proofs/receipts/check-policy'
import { DecisionStatement } from '@beak/proofs/receipts/decision-statement'
import { outcomes } from '@beak/proofs/receipts/outcome'
import { type AnyFacts, requirements } from '@beak/proofs/receipts/policy'
import { Statement } from '@beak/proofs/receipts/schema'
import { z } from 'zod'
import { AgentCheck, agentId } from '@/lib/domain/agents/schema'
import { Verification } from '@/lib/domain/certs/schema'
import { paramsHash } from '@/lib/domain/pecks/params'
import { AgentRules } from '@/lib/domain/pecks/rules/read'
import { config } from '@/lib/kernel/config'
import { tier } from '@/lib/kernel/request/fields'
import { idSchema } from '@/lib/kernel/secrets/ids'
import { isTestService } from '@/lib/kernel/service/test-service'
import { readOnly, refusal, success, tool } from '../tool'

export const verifyCertificate = tool({
  name: 'verify_certificate',
  title: 'Check a birth certificate',
  description: 'Tells whether the birth certificate of a person is valid now, and their name and trust tier.',
  annotations: readOnly,
  input: z.strictObject({ cert_id: idSchema('certificate') }),
  output: Verification,
  async run(query, { api }) {
    const result = await api('GET /beak/cert/verify', { query })
    return result.ok ? success(result.data) : refusal(result.problem)
  },
})

export const verifyAgent = tool({
  name: 'verify_agent',
  title: 'Check an agent',
  description:
    'Tells whether an agent is bonded to a person now, who that person is, and what it may do here.',
  annotations: readOnly,
  input: z.strictObject({ agent_id: agentId }),
  output: AgentCheck,
  async run(query, { api }) {
    const result = await api('GET /beak/agent/verify', { query })
    return result.ok ? success(result.data) : refusal(result.problem)
  },
})

const ReceiptCheck = z.object({
  valid: z
    .boolean()
    .describe(
      'Whether the receipt is of an approval, is as you expect, and has the signatures that `require` names. Never true without `require`.',
    ),
  fault: z.string().nullable().describe('Why `valid` is false.'),
  trust: z
    .enum(requirements)
    .nullable()
    .describe('Who confirms the receipt: only the service, or a passkey too. Null for an invalid receipt.'),
  outcome: z.enum(outcomes).nullable().describe('The outcome of the request, in a receipt of this service.'),
  statement: z.union([Statement, DecisionStatement]).nullable().describe('What was asked.'),
  decided_at: z.string().nullable(),
  grant_expires_at: z.string().nullable(),
  signed_by_passkey: z
    .boolean()
    .nullable()
    .describe(
      'Whether the receipt has the signature of a passkey. It may cover less than the statement shows.',
    ),
  params_match: z
    .boolean()
    .nullable()
    .describe('Whether params are the approved ones. Null without params, and when the receipt hides them.'),
})

export const verifyReceipt = tool({
  name: 'verify_receipt',
  title: 'Check the receipt of an approval',
  description:
    'Checks a receipt that somebody shows you, and tells what became of the request. Name in `require` who must have confirmed it. With "service", only this service says so. With "signed", a passkey signed too, and only this service says whose. A receipt does not tell whether the permission is still active; only use_permission does.',
  annotations: readOnly,
  input: z.strictObject({
    receipt: z
      .record(z.string(), z.unknown())
      .describe('The receipt, as GET /beak/peck/outcome or GET /beak/peck/receipt returns it.'),
    require: z
      .enum(['service', 'signed'])
      .optional()
      .describe('Who must have confirmed the receipt. Without it, the answer only says what was found.'),
    action: z.string().max(200).optional().describe('The action that must have been approved.'),
    audience: z.string().max(300).optional().describe('The host name that the permission must be meant for.'),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('All parameters that must have been approved. Values that the receipt hides do not match.'),
  }),
  output: ReceiptCheck,
  async run({ receipt, require, action, audience, params }, { api }) {
    const keys = await api('GET /.well-known/jwks.json')
    if (!keys.ok) return refusal(keys.problem)
    const policy = { require, action, audience, params, allowTest: isTestService() }
    const signer = { keys: () => keys.data, issuer: config().baseUrl }
    const verdict = await checkWithPolicy(receipt, policy, signer)
    const { ok, trust, facts } = verdict
    return success({
      valid: ok,
      fault: ok ? null : verdict.fault.message,
      trust,
      outcome: facts && (facts.version === 1 ? 'approved' : facts.outcome),
      statement: facts?.statement ?? null,
      decided_at: facts?.decidedAt ?? null,
      grant_expires_at: facts?.grantExpiresAt ?? null,
      signed_by_passkey: facts === null ? null : facts.passkey !== null,
      params_match: params === undefined || facts === null ? null : areSameParams(facts, params),
    } satisfies z.output<typeof ReceiptCheck>)
  },
})

/** Compares params with a receipt. Null when the receipt does not disclose all of them. */
function areSameParams(facts: AnyFacts, params: Params): boolean | null {
  if (facts.version === 1) return paramsHash(params) === facts.statement.params_hash
  const { params: disclosed, hiddenParams } = facts.values
  if (hiddenParams > 0) return null
  return (
    paramsHash(params) === paramsHash(Object.fromEntries(disclosed.map(({ name, value }) => [name, value])))
  )
}

const Self = AgentCheck.extend({
  trust_tier: tier.describe('The tier that your calls count as.'),
  rules: AgentRules.shape.rules.describe(
    'What people have allowed or refused you in advance, with what is left. Ask as always: such a request is answered at once.',
  ),
  budgets: AgentRules.shape.budgets.describe('What all rules of a person together still allow you.'),
})

export const whoami = tool({
  name: 'whoami',
  title: 'See who you are',
  description:
    'Tells your name as an agent, your status and capabilities, the person that you act for, and the rules that answer your requests at once. When valid is false, you are not bonded: ask that person to bond or resume you.',
  annotations: readOnly,
  input: z.strictObject({}),
  output: Self,
  async run(_, { api, caller }) {
    const result = await api('GET /beak/agent/verify', { query: { agent_id: caller.agentId } })
    if (!result.ok) return refusal(result.problem)
    const { operator } = result.data
    // Only a bonded agent has rules.
    const applying = await api('GET /beak/agent/rules')
    const { rules, budgets } = applying.ok ? applying.data : { rules: [], budgets: [] }
    // An agent may see the whole id of its operator, which is also in its requests.
    const self = {
      ...result.data,
      operator: { ...operator, duckling_id: caller.id },
      trust_tier: caller.tier,
      rules,
      budgets,
    }
    return success(self)
  },
})
