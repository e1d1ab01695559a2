import { displayOf } from '@/lib/domain/pecks/display/display'
import { namedValue } from '@/lib/domain/pecks/display/sort'
import type { Params } from '@/lib/domain/pecks/params'
import { type FirstLineInput, isLikeness } from '@/lib/domain/pecks/risk/first-line'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { MailedPeck } from '@/lib/infrastructure/mail/peck-message'
import { m } from '@/lib/kernel/messages'
import { extentOf } from '@/lib/kernel/text/extent'
import { idTail, isolated } from '@/lib/kernel/text/person-name'
import { shownActionBeforeName, shownRequest } from '@/lib/kernel/text/shown-action'

/** Mails are plain ASCII where they can be, so there is no "…". */
const markInMail = (handle: string | null, id: string) =>
  handle === null ? m.mail_person_mark_id({ id: idTail(id) }) : `@${handle}`

interface MailOptions {
  isReminder: boolean
  /** Whether the target wants the value that says most in mails, or on this channel. */
  withValue: boolean
  firstLine: FirstLineInput | null
}

/** Whether a reason has words of the asker, or an amount. */
const hasValue = (text: string) => /[“\p{Sc}\d]/u.test(text)

/** Returns the first line unless it has a value that the target does not want there. Names of people are no values. */
function shownLine({ firstLine: line, withValue }: MailOptions): MailedPeck['firstLine'] {
  if (line === null) return null
  const shown = { text: line.text, isLikeness: isLikeness(line) }
  return withValue || shown.isLikeness || !hasValue(line.text) ? shown : null
}

/**
 * Returns what a mail says about a peck, in the current language. Of what the asker wrote, it has the name of an agent and at most one value,
 * no message and no audience.
 */
export function mailedPeck(peck: PeckRow, options: MailOptions): MailedPeck {
  const { isReminder, withValue } = options
  const sent = { action: peck.action, params: JSON.parse(peck.params) as Params }
  return {
    id: peck.id,
    person: isolated(peck.requesterFullName ?? peck.requesterName),
    personMark: markInMail(peck.requesterHandle, peck.requesterDucklingId),
    agent: peck.agentName,
    isOwnAgent: peck.requesterDucklingId === peck.targetDucklingId,
    action: shownRequest(sent, true),
    actionBeforeName: shownActionBeforeName(peck.action),
    extent: extentOf(peck),
    firstLine: shownLine(options),
    value: withValue ? namedValue(displayOf(peck), sent) : null,
    isHighRisk: peck.riskLevel === 'high',
    isReminder,
    expiresAt: peck.expiresAt,
  }
}
