import type { PeckDetails } from '../_peck/reads'

export type AskerHistory = NonNullable<PeckDetails['asker_history']>

/** Returns how often the asker asked for this action, and how often the viewer approved it, with this request counted. */
export function historyWords({ asked, approved }: Pick<AskerHistory, 'asked' | 'approved'>): string {
  if (asked <= 1 && approved === 0) return 'Asks you for this for the first time.'
  const times = asked === 1 ? 'once' : asked === 2 ? 'twice' : `${asked.toLocaleString('en')} times`
  if (approved === 0) return `Asked you for this ${times}. You never approved it.`
  return `Asked ${times}, you approved ${approved.toLocaleString('en')}.`
}
