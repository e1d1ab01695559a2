/** Tells which actions of askers look like words of the service, such as `send:an_emai1`, which would be shown as “send an emai1”. */

import { listedObjects, listedVerbs } from '@beak/decision/action-words'
import { m } from '@/lib/kernel/messages'

/** A look at "send an email" does not notice whether these are there. */
const smallWords = new Set('a an and its my of our the their to you your'.split(' '))

/** Signs of the names of actions that look like others, in the order in which they are replaced. */
const lookAlikes: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/c[l1]/g, 'd'],
  [/[1i]/g, 'l'],
  [/0/g, 'o'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/[69]/g, 'g'],
  [/7/g, 't'],
  [/8/g, 'b'],
]

/** Returns how words look at a glance: without small words, without signs and spaces, and with one letter for all that look alike. */
const look = (words: string): string =>
  words
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => !smallWords.has(word))
    .map((word) => lookAlikes.reduce((text, [sign, letter]) => text.replace(sign, letter), word))
    .join('')

const verbs = listedVerbs().map(look)
const objects = new Set(listedObjects().map(look))

/** The words of the service that no list has. */
const fixedWords = () => [
  m.action_read_your_profile(),
  m.action_read_their_profile(),
  m.action_read_the_profile(),
  m.action_read_email_of_target(),
  m.action_read_email_of_others(),
  m.action_test(),
  m.action_favour(),
  m.action_favour_of_others(),
]

/** Whether words that an asker chose look like words of the service for another action. */
export function looksKnown(words: string): boolean {
  const seen = look(words)
  const isListed = verbs.some((verb) => seen.startsWith(verb) && objects.has(seen.slice(verb.length)))
  return isListed || fixedWords().some((known) => look(known) === seen)
}
