import { appendToLog } from '@/lib/domain/tlog/append'
import { type Continued, continueFromMirror, type Missing } from '@/lib/domain/tlog/continue-log'
import { applyEnded, type EndedAgain } from './apply-ended'

export interface Caught extends Continued {
  again: EndedAgain
}

/**
 * Applies the entries that a mirror has and a restored database lacks, and puts them into its log. Uses and revocations of permissions need
 * nothing, because the commands `restore` and `restored` end every permission. Applies first, so that a command that dies in between can be repeated. Throws
 * `ContinueRefused`.
 */
export async function catchUp(missing: Missing, now: Date): Promise<Caught> {
  const again = await applyEnded(missing.entries, now)
  const continued = await continueFromMirror(missing, now)
  await appendToLog(now, { force: true })
  return { ...continued, again }
}
