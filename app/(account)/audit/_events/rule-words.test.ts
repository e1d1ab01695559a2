import { expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { PresentedRule } from '../../rules/_rule/reads'
import type { AuditEvent } from './event-sentence'
import { ruleOf, ruleWords } from './rule-words'

const subjects = [{ id: 'AGT-1', name: '“Grocer”', isOwn: true }]
const rule = { agent_id: 'AGT-1', actions: ['pay:invoice'], params: {}, answer: 'approve', mode: 'on' }

const words = (change: object, status: PresentedRule['status']) =>
  withoutMarks(ruleWords({ rule: { ...rule, ...change } as PresentedRule['rule'], status }, subjects))

it('says whom the rule of an event is for and what it does, as it is now or was when it ended', () => {
  expect(words({}, 'on')).toBe('As it is now, for “Grocer”: pay an invoice')
  expect(words({ answer: 'reject' }, 'on')).toBe('As it is now, for “Grocer”: Rejects: pay an invoice')
  expect(words({}, 'paused')).toBe('As it is now, for “Grocer”: Paused: pay an invoice')
  expect(words({}, 'ended')).toBe('Over. It was for “Grocer”: pay an invoice')
  expect(words({ agent_id: 'AGT-GONE' }, 'expired')).toBe('Over. It was for AGT-GONE: pay an invoice')
})

it('finds the rule of an event about a rule, and of no other event', () => {
  const event = (action: string) => ({ action, targets: [{ type: 'rule', id: 'RULE-1' }] }) as AuditEvent
  expect(ruleOf(event('rule.created'))).toBe('RULE-1')
  expect(ruleOf(event('peck.approved'))).toBeNull()
})
