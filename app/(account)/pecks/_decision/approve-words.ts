/** What the button of a high risk says: what happens when it is pressed. */
import { namesRecipient, objectNaming, sends } from '@/lib/kernel/text/naming-names'
import type { DisplayValue, PeckDetails } from '../_peck/reads'
import { sentenceParts } from './sentence-parts'

export interface ApproveWords {
  /** In words of the service: "delete the database". */
  verb: string
  /** The value that names what it happens to, in quotation marks when the asker chose it: "“customers-production”". */
  value: string | null
}

const valueMax = 32
/** One word without signs that end a quotation or a sentence, so that it cannot read like words of the service. */
const oneWord = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./@:+-]*$/u

/** Returns the words of the button that approves a request. */
export function approveWords({ sentence, values }: PeckDetails['display']): ApproveWords {
  const { action } = sentenceParts(sentence, true)
  // The service does not know the verb, so it stays as the asker wrote it.
  if (action.startsWith('“')) return { verb: 'approve', value: action }
  const [first] = values
  if (first?.type === 'money' && first.warning === undefined) return { verb: `${action}:`, value: first.text }
  const [verb = '', object = ''] = split(action)
  const reached = sends(verb)
    ? values.filter(({ name, type }) => namesRecipient(name) || type === 'email')
    : []
  const naming =
    reached.length > 0
      ? reached
      : values.filter(({ name }) => namesRecipient(name) || objectNaming(name, object) !== null)
  const [named] = naming
  // Of several the asker would choose which one the button names: a harmless one beside the true one.
  if (named === undefined || naming.length > 1 || !isFit(named)) return { verb: action, value: null }
  const value = `“${shortened(named.text)}”`
  const isRecipient = namesRecipient(named.name)
  if (isRecipient !== reached.length > 0) return { verb: action, value: null }
  return { verb: isRecipient ? `${action} to` : action.replace(/^(\S+) an? /, '$1 the '), value }
}

/** Splits "delete a database" into its verb and its object. */
const split = (action: string) => /^(\S+) (?:an? |your )?(.*)$/.exec(action)?.slice(1) ?? []

/** Whether a value is fit for a button. */
function isFit({ type, text, warning }: DisplayValue): boolean {
  if (warning !== undefined || (type !== 'value' && type !== 'email')) return false
  return oneWord.test(text) && !/^(true|false|null)$/.test(text)
}

/** Keeps the end of a long name, too: two names may differ there only. */
function shortened(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= valueMax) return text
  return `${characters.slice(0, valueMax - 12).join('')}…${characters.slice(-11).join('')}`
}
