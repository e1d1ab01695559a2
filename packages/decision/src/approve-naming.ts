/** What the button of a high risk names: what happens when it is pressed. Pages write it in their language, the approver in English. */
import { namesRecipient, objectNaming, sends } from './naming-names'

/** What is read of a value that a request shows (`DisplayValue` of the API). */
interface ShownValue {
  name: string
  type: string
  text: string
  warning?: unknown
}

/**
 * `unlisted`: the service does not know the action, and the value is the action. `action`: only the action. Any other: the value is an amount,
 * whom the action reaches, or what it is done to, in quotation marks when the asker chose it: "“customers-production”".
 */
export type ApproveNaming =
  | { how: 'action'; value: null }
  | { how: 'unlisted' | 'amount' | 'recipient' | 'object'; value: string }

const onlyAction: ApproveNaming = { how: 'action', value: null }

const valueMax = 32
/** One word without signs that end a quotation or a sentence, so that it cannot read like words of the service. */
const oneWord = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_./@:+-]*$/u

/** Returns what the button that approves a request names besides the action. Reads the sentence that is signed. */
export function approveNaming({
  sentence,
  values,
}: {
  sentence: string
  values: ShownValue[]
}): ApproveNaming {
  const { action } = sentenceParts(sentence)
  // The service does not know the verb, so it stays as the asker wrote it.
  if (action.startsWith('“')) return { how: 'unlisted', value: action }
  const [first] = values
  if (first?.type === 'money' && first.warning === undefined) return { how: 'amount', value: first.text }
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
  if (named === undefined || naming.length > 1 || !isFit(named)) return onlyAction
  const isRecipient = namesRecipient(named.name)
  if (isRecipient !== reached.length > 0) return onlyAction
  return { how: isRecipient ? 'recipient' : 'object', value: `“${shortened(named.text)}”` }
}

/** Splits "delete a database" into its verb and its object. */
const split = (action: string) => /^(\S+) (?:an? |your )?(.*)$/.exec(action)?.slice(1) ?? []

/** Whether a value is fit for a button. */
function isFit({ type, text, warning }: ShownValue): boolean {
  if (warning !== undefined || (type !== 'value' && type !== 'email')) return false
  return oneWord.test(text) && !/^(true|false|null)$/.test(text)
}

/** Keeps the end of a long name, too: two names may differ there only. */
function shortened(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= valueMax) return text
  return `${characters.slice(0, valueMax - 12).join('')}…${characters.slice(-11).join('')}`
}

/** Splits a signed sentence after the action. No action has a comma. */
export function sentenceParts(sentence: string): { action: string; extent: string } {
  const comma = sentence.indexOf(',')
  return { action: sentence.slice(0, comma), extent: sentence.slice(comma) }
}
