/** The rules that events are about, in few words. The log has only their ids: it is kept longer than rules are. */

import { read } from '@/app/_web/page-read'
import { m } from '@/lib/kernel/messages'
import { keptText } from '@/lib/kernel/text/kept-values'
import { type PresentedRule, readSubjects, type Subject, subjectName } from '../../rules/_rule/reads'
import { shortRules } from '../../rules/_rule/short-words'
import type { AuditEvent } from './event-sentence'

/** Whom each rule is for and what it does, by its id, with marks around values. */
export type EventRules = Record<string, string>

/** Returns the id of the rule that an event is about, or null. */
export const ruleOf = ({ action, targets }: AuditEvent): string | null =>
  action.startsWith('rule.') ? (targets.find(({ type }) => type === 'rule')?.id ?? null) : null

/** Returns whom a rule is for and what it does today: the event may be older than its last change. */
export function ruleWords(
  { rule, status }: Pick<PresentedRule, 'rule' | 'status'>,
  subjects: Subject[],
): string {
  const isOver = status === 'ended' || status === 'expired'
  const shown = { rule, status: isOver ? 'on' : status } as const
  return keptText(isOver ? m.audit_rule_was : m.audit_rule_now, {
    name: subjectName(subjects, rule),
    rules: shortRules([shown], false).join(''),
  })
}

/** Returns the words of the newest rules that the events are about. Reads the rules once for all events. */
export async function rulesOf(events: AuditEvent[], viewerId: string): Promise<EventRules> {
  const ids = new Set(events.map(ruleOf))
  ids.delete(null)
  if (ids.size === 0) return {}
  const [{ items }, subjects] = await Promise.all([
    read('GET /beak/rule/list', { query: { limit: '100' } }),
    readSubjects(viewerId),
  ])
  return Object.fromEntries(
    items.filter(({ rule_id }) => ids.has(rule_id)).map((rule) => [rule.rule_id, ruleWords(rule, subjects)]),
  )
}
