/** What the examples of the reference share. */

/** Returns the id of an example, such as `PECK-…`. */
export const id = (prefix: string) => `${prefix}-01JDV8K2M3N4P5Q6R7S8T9V0WX`
export const time = '2026-11-21T10:00:00.000Z'

export type Facts = Record<string, unknown>

/** Rules in the examples of the reference. */

export const ruleBudget = { amount: '€100.00', per: 'month' }

/** The rule of the examples, without what has its usual value. */
const rule = {
  agent_id: id('AGT'),
  actions: ['pay:invoice'],
  params: { amount: { at_most: '€50.00' }, to: { equals: 'shop@example.com' } },
  budget: ruleBudget,
  answer: 'approve',
}
const paid = {
  action: 'pay:invoice',
  summary:
    'Agent "Scout" of Teal (tier T2) asks Mallard for permission to pay an invoice with the parameters shown, once, within 24 hours of the approval; to be answered by 2026-11-22 10:00 UTC.',
  cost: '€38.00',
}

const ruleFacts: Facts = {
  status: 'on',
  reason: null,
  sentence:
    'Approve without asking me: pay an invoice, for at most €50.00, to "shop@example.com". At most €100.00 a month. Until 21 December 2026.',
  expires_at: '2026-12-21T10:00:00.000Z',
  ended_at: null,
}

/** What is true of rules in an example, by component. */
export const factsOfRules: Record<string, Facts> = {
  RuleRequest: rule,
  Rule: { ...rule, operator_id: undefined, reasons: ['money'], expires_in: 2_592_000, mode: 'on' },
  PresentedRule: ruleFacts,
  RuleView: ruleFacts,
  EndedRule: {
    ...ruleFacts,
    status: 'ended',
    reason: 'owner',
    ended_at: time,
    revoked_grants: [id('PECK')],
  },
  RuleEndPreview: { rule_id: id('RULE'), active_grants: 1 },
  RuleUsed: { uses: 1, period: '2026-11', period_uses: 1, amount: '€38.00' },
  RuleLeft: { uses: null, uses_each: null, amount: '€62.00' },
  RuleAnswer: {
    ...paid,
    rule_id: id('RULE'),
    asker: id('AGT'),
    asker_name: 'Scout',
    grant_status: 'consumed',
    returned: false,
  },
  RuleRehearsal: {
    sentence: ruleFacts.sentence,
    days: 30,
    asked: 2,
    answered: 1,
    amount: '€38.00',
    answers: [{ peck_id: id('PECK'), ...paid, created_at: time, status: 'approved' }],
    others: [
      {
        peck_id: id('PECK'),
        ...paid,
        created_at: time,
        status: 'rejected',
        cost: '€80.00',
        why: [{ why: 'value', param: 'amount' }],
      },
    ],
  },
}
