/**
 * Tells a mailbox that does not exist from a mail server that refuses everybody, because it knows our sender no more, or because its own list of
 * mailboxes is gone. Both may answer "550". Only what the server takes from us for others shows that the mailbox is the reason.
 */
import { singleton } from '@/lib/kernel/singleton'

/** After so many different recipients without a mail that was taken, the reason is the server. */
const recipientsMax = 3
/** Recipients in memory. The oldest are forgotten first, and then count as new. */
const keptMax = 10_000

const state = () =>
  singleton('mail.refused', () => ({
    /** How many mails the server has taken. */
    taken: 0,
    /** How many it had taken when it refused this recipient first. */
    refused: new Map<string, number>(),
    sinceTaken: new Set<string>(),
  }))

/** Notes that the server has taken a mail. */
export function noteTaken(to: string): void {
  const held = state()
  held.taken++
  held.refused.delete(to)
  held.sinceTaken.clear()
}

/**
 * Notes that the server has refused a recipient for ever, and returns whom that is about: `refused`, the recipient, because the server has taken
 * mails for others since it refused this one first; `doubtful`, nobody knows yet; or `provider`, everybody.
 */
export function judgeRefused(to: string): 'refused' | 'doubtful' | 'provider' {
  const { taken, refused, sinceTaken } = state()
  const first = refused.get(to)
  if (first !== undefined && first < taken) return 'refused'
  refused.set(to, first ?? taken)
  const [oldest] = refused.keys()
  if (refused.size > keptMax && oldest !== undefined) refused.delete(oldest)
  sinceTaken.add(to)
  return sinceTaken.size < recipientsMax ? 'doubtful' : 'provider'
}
