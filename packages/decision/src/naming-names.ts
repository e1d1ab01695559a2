/** Names of params that say what an action is done to, or for whom. Lists and buttons of decisions name their values. */
import { snakeCase } from './secret-values'

/** Whom it reaches. Buttons say "to" before these, after a verb that sends something. */
const recipients =
  'to recipient recipients payee receiver cc bcc empfaenger empfanger destinataire destinatario'
/** The first ones say most. */
const things =
  'name target database db table repository repo branch bucket project file filename path folder account user username member email domain host hostname url title subject id'
const order = ['name', 'target', ...recipients.split(' '), ...things.split(' ').slice(2)]

/** Returns the place of a name among those that name something, the lowest first, or null for any other name. `customer_id` counts like `id`. */
export function namingRank(name: string): number | null {
  const rank = order.indexOf(lastWord(name))
  return rank === -1 ? null : rank
}

function lastWord(name: string): string {
  const words = snakeCase(name)
  return words.slice(words.lastIndexOf('_') + 1)
}

/** Returns the word for what a param names: "database" for `target_db`. For any other name it is "name". */
export function namingWord(name: string): string {
  const word = lastWord(name)
  return order.includes(word) ? (longForms[word] ?? word) : 'name'
}

/** Whether a param with this name says whom the action reaches. */
export const namesRecipient = (name: string): boolean => recipients.split(' ').includes(snakeCase(name))

const sendingVerbs = 'email export forward grant mail pay post refund send ship transfer'.split(' ')

/** Whether the result of the verb reaches somebody, so that "to" names whom: "send an email to". */
export const sends = (verb: string): boolean => sendingVerbs.includes(verb)

/** Short forms of objects, as params are often named. */
const longForms: Record<string, string> = {
  db: 'database',
  repo: 'repository',
  filename: 'file',
  username: 'user',
}
const ownNames = ['name', 'target', 'id']

function wordsOf(text: string): string[] {
  return snakeCase(text)
    .split('_')
    .map((word) => word.replace(/ies$/, 'y').replace(/([^s])s$/, '$1'))
    .map((word) => longForms[word] ?? word)
}

/**
 * Returns how a param names the object of an action: `object` by its words, `own` only as `name`, `target` or `id`. For the object "database",
 * `database_name` and `db` are `object`, `id` is `own`, and `table` is null.
 */
export function objectNaming(name: string, object: string): 'object' | 'own' | null {
  const [words, objects] = [wordsOf(name), wordsOf(object)]
  const isObject = (word: string) => objects.includes(word)
  if (!words.every((word) => ownNames.includes(word) || isObject(word))) return null
  return words.some(isObject) ? 'object' : 'own'
}
