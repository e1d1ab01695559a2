import type { AskerHistory } from './history-words'

/** Returns what became of the latest approvals of an asker, without the end of the sentence. Says the same of an agent and of a person. */
export function usedWords({ approvals, uses }: NonNullable<AskerHistory['used']>): string {
  const [which, be] =
    approvals === 1 ? ['Your last approval', 'was'] : [`Your latest ${approvals} approvals`, 'were']
  if (uses === 0) return `${which} ${be} not used`
  return `${which} ${be} used ${uses === 1 ? 'once' : `${uses.toLocaleString('en')} times`}`
}
