/** The weekly mail about what rules answered. */
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { ruleText } from './foreign-text'
import { letter } from './letter'
import type { Part } from './parts'
import { type Reader, timeFor } from './reader'
import type { Message } from './send'

/** What one rule answered in a week. */
export interface ReportedRule {
  id: string
  sentence: string
  approved: number
  rejected: number
  /** What the approved requests cost, one amount for each currency. */
  money: string[]
}

/** Rules that a mail describes one by one. */
const reportedMax = 10

/** Returns the address of the page of a rule. */
export const rulePage = (id: string): string => `${config().baseUrl}/rules/${encodeURIComponent(id)}`

function numbersOf({ approved, rejected, money }: ReportedRule): Part {
  const facts: [string, string][] = [
    ...(approved === 0 ? [] : [[m.mail_rule_approved(), String(approved)] as [string, string]]),
    ...(rejected === 0 ? [] : [[m.mail_rule_rejected(), String(rejected)] as [string, string]]),
    ...(money.length === 0 ? [] : [[m.mail_rule_money(), listWithAnd(money)] as [string, string]]),
  ]
  return { facts }
}

/** Returns the mail about `rules`, those that answered most first. */
export function reportMessage(
  rules: ReportedRule[],
  { since, until, reader }: { since: Date; until: Date; reader: Reader },
): Omit<Message, 'to'> {
  const count = rules.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0)
  const others = rules.length - reportedMax
  return letter({
    reader,
    kind: 'rule_report',
    subject: m.mail_rule_report_subject({ count }),
    parts: [
      m.mail_rules_answered_between({ count, since: timeFor(reader, since), until: timeFor(reader, until) }),
      {
        items: rules
          .slice(0, reportedMax)
          .map((rule): Part[] => [
            { title: ruleText(rule.sentence), url: rulePage(rule.id) },
            numbersOf(rule),
          ]),
      },
      ...(others > 0 ? [m.mail_rule_report_others({ count: others })] : []),
      { label: m.mail_open_rules(), url: `${config().baseUrl}/rules` },
      {
        small: [
          m.mail_rule_report_why(),
          { label: m.mail_change_notifications(), url: `${config().baseUrl}/notifications` },
        ],
      },
    ],
  })
}
