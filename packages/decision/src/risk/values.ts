/** Values of the sentences about a risk that come from the request. */
import { quotable } from '../quote'
import { hideSecrets } from '../secret-values'
import { say, type Wording } from '../wording'

const wordsMax = 40

/**
 * Returns words of an asker so that they end no quotation, show no secret and hide no character. Cuts long ones. The sentence has the
 * quotation marks.
 */
export function shortWords(words: string): string {
  const characters = Array.from(quotable(hideSecrets(words)))
  return `${characters.slice(0, wordsMax).join('')}${characters.length > wordsMax ? '…' : ''}`
}

/** The verb of an action as the start of a sentence: "Deleting". A verb that the table does not have is quoted: “rm”. */
export const doing = (verb: string): Wording => say('doing', { verb })

/** A word of the rules, such as "password". */
export const knownWord = (text: string): Wording => say('word', { word: text })
