import { displayOf } from '@/lib/domain/pecks/display/display'
import type { PeckRow } from '@/lib/domain/pecks/rows'
import type { MailedPeck } from '@/lib/infrastructure/mail/peck-message'
import { actionWords } from '@/lib/kernel/text/action-words'
import { idTail, isolated } from '@/lib/kernel/text/person-name'

/** Mails are plain ASCII where they can be, so there is no "…". */
const markInMail = (handle: string | null, id: string) =>
  handle === null ? `ID ending in ${idTail(id)}` : `@${handle}`

/** Returns what a mail says about a peck. Leaves out the params, the message and the audience, which the asker wrote. */
export function mailedPeck(peck: PeckRow, isReminder: boolean): MailedPeck {
  return {
    id: peck.id,
    person: isolated(peck.requesterFullName ?? peck.requesterName),
    personMark: markInMail(peck.requesterHandle, peck.requesterDucklingId),
    agent: peck.agentName,
    isOwnAgent: peck.requesterDucklingId === peck.targetDucklingId,
    action: actionWords(peck.action),
    sentence: displayOf(peck).sentence,
    isHighRisk: peck.riskLevel === 'high',
    isReminder,
    expiresAt: peck.expiresAt,
  }
}
