/** Quotes words of an asker inside of the sentences of the service, so that they end no quotation, show no secret and hide no character. */
import { quotable } from '@/lib/kernel/text/quote'
import { hideSecrets } from '@/lib/kernel/text/secret-values'
import { programOf } from './commands'

const wordsMax = 40

/** Returns the words in quotation marks, without secrets. Cuts long ones. */
export function theirs(words: string): string {
  const characters = Array.from(quotable(hideSecrets(words)))
  return `“${characters.slice(0, wordsMax).join('')}${characters.length > wordsMax ? '…' : ''}”`
}

/** The rules whose sentences may quote an asker: one quotation each. */
const quotingRules = ['secret', 'irreversible', 'command', 'control', 'force', 'outward']

/** Returns the sentence of a stored reason with its quotation written anew: older versions quoted the words as they were sent. */
export function requoted(rule: string, text: string): string {
  if (!quotingRules.includes(rule)) return text
  return text.replace(/“(.*)”/s, (_, words: string) => theirs(rule === 'command' ? programOf(words) : words))
}
