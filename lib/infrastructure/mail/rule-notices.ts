/** The mails about a request that a rule did not answer. They name the request, and their button opens it. */
import { m } from '@/lib/kernel/messages'
import { listWithAnd } from '@/lib/kernel/text/list-words'
import { shownAction } from '@/lib/kernel/text/shown-action'
import { foreignName, reasonText, ruleText } from './foreign-text'
import type { Part } from './parts'
import { fitting, peckPage } from './peck-message'
import { rulePage } from './rule-report'
import type { MailUrgency } from './unsolicited'

export type Facts = Record<string, string>

/** When it happened, when something will happen because of it, and when a backup was made: in words. */
export type Times = Record<'at' | 'due' | 'made_at', string>

/** The sentence above several events: above none, all or the first of them. */
export interface SeveralTexts {
  none: (values: { count: number }) => string
  all: (values: { count: number }) => string
  first: (values: { count: number; shown: number }) => string
}

export interface Notice {
  urgency: MailUrgency
  /** `facts`: of the event, when the mail is about one only. */
  subject: (facts?: Facts & Times) => string
  /** What happened: one or two sentences, and facts below them. */
  event(facts: Facts & Times): string | Part[]
  /** What to do now. After what the session did: what to do once it is signed out. */
  advice?: (facts?: Facts & Times) => string | undefined
  /** How often it happened, when a mail is about several events. Not set: "This happened 2 times". */
  several?: SeveralTexts
  /** The page to do it on, unless the events are those of a session. */
  open?: (facts?: Facts & Times) => { label: string; url: string }
}

const ruleLink = (rule = '') => ({ label: m.mail_open_rule(), url: rulePage(rule), isLink: true as const })

/** The button of a mail about a rule opens the request. Rows of earlier versions do not name it. */
const openRequest = ({ peck = '', rule = '' }: Facts = {}) =>
  peck === ''
    ? { label: m.mail_open_rule(), url: rulePage(rule) }
    : { label: m.mail_open_request(), url: peckPage(peck) }

/** The sentence of a rule, and a link to its page unless the button opens it. */
const ruleParts = ({ sentence = '', rule = '', peck = '' }: Facts): Part[] => [
  { facts: [[m.mail_the_rule_says(), ruleText(sentence)]] },
  ...(peck === '' ? [] : [ruleLink(rule)]),
]

const subjects: Record<string, () => string> = {
  own: m.mail_rule_for_own_agents,
  others: m.mail_rule_for_others,
}

/**
 * Returns the rows that tell which rule was changed: whom it is for, which requests it answers, and when it was made. Empty for other changes, and
 * for rows of earlier versions.
 */
export function ruleFacts({
  rule_for: kind,
  agent = '',
  actions = '',
  others = '0',
  made_at: at = '',
}: Facts): [string, string][] {
  if (kind === undefined) return []
  const deeds = [
    ...actions
      .split(' ')
      .filter(Boolean)
      .map((action) => shownAction(action)),
    ...(others === '0' ? [] : [m.mail_rule_other_actions({ count: Number(others) })]),
  ]
  return [
    [m.mail_rule_for(), subjects[kind]?.() ?? foreignName(agent)],
    [m.mail_rule_asks(), listWithAnd(deeds)],
    [m.mail_rule_made(), at],
  ]
}

export const ruleNotices = {
  rule_exhausted: {
    urgency: 'account',
    // `request` was prepared for mails. Rows of earlier versions have none.
    subject: ({ request = '' }: Facts = {}) =>
      request === ''
        ? m.mail_request_exceeded_rule()
        : fitting([m.mail_request_over_rule({ request }), request]),
    event: ({ request = '', ...rule }) => [
      ...(request === ''
        ? [m.mail_request_exceeded_rule_waits()]
        : [{ heading: request }, m.mail_rule_exceeded_body()]),
      ...ruleParts(rule),
    ],
    advice: m.mail_rule_exhausted_advice,
    open: openRequest,
  },
  rule_stopped: {
    urgency: 'account',
    subject: ({ request = '' }: Facts = {}) =>
      request === '' ? m.mail_request_stopped_rule() : fitting([request]),
    event: ({ reason = '', request = '', ...rule }) => [
      ...(reason === '' ? [] : [{ warning: reasonText(reason) }]),
      ...(request === '' ? [] : [{ heading: request }]),
      m.mail_request_has_high_risk_now(),
      ...ruleParts(rule),
    ],
    advice: m.mail_high_risk_stays_with_you,
    open: openRequest,
  },
} satisfies Record<string, Notice>
