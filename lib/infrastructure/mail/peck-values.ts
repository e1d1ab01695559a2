/** The values of a request in a mail: beside the action, as in a subject, and below it, with a name for each. Both the names and the values are text of the asker. */
import { snakeCase } from '@beak/decision/secret-values'
import { m } from '@/lib/kernel/messages'
import { sentenceCase } from '@/lib/kernel/text/shown-action'
import { foreignName, foreignValue, reasonText } from './foreign-text'

/** A value that the asker chose. It goes through `foreignValue`, and its name through `foreignName`. */
export interface MailedValue {
  role: 'amount' | 'recipient' | 'object' | 'other' | null
  /** As the asker named the param. */
  name: string
  type: string
  text: string
  /** For a URL, the part of its host that its owner registered. */
  domain: string | null
  /** What to look at twice, in words of the service. */
  warning: string | null
}

/** Names that the service writes in words of its own. The table of sentences has the same. All others are in quotation marks. */
const serviceWords = new Set(
  `account address amount at branch bucket city count currency database date day domain duration email end env environment favour fee file
  filename folder force from guests host hostname iban id item items member name on path payee people place price project provider quantity
  recipient region repo repository restaurant room service since start subject table target time tip title to total until url user version
  when`.split(/\s+/),
)
const dateWords = new Set(['at', 'date', 'day', 'on', 'time', 'when'])
/** Longer names say more than the line has room for. */
const nameMax = 24
/** Length of a value that stands below the action: a whole address, or a sentence. */
const factMax = 200

/** Returns the name of a value in words of the service, or the name of the asker in quotation marks. */
function nameOf({ name }: MailedValue): string {
  const word = snakeCase(name)
  if (serviceWords.has(word)) return m.mail_value_word({ word })
  return `"${foreignName(name.slice(0, nameMax)).replaceAll('"', '')}"`
}

/** A URL is shown as the site that it leads to. */
const shownValue = ({ type, text, domain }: MailedValue, max?: number): string =>
  foreignValue(type === 'url' && domain !== null ? domain : text, max)

const isFlag = ({ type, text }: MailedValue) => type === 'value' && (text === 'true' || text === 'false')

/** Returns a value with its name, for a line of facts. */
export function valueFact(value: MailedValue): [string, string] {
  const name = sentenceCase(nameOf(value))
  if (isFlag(value)) return [name, value.text === 'true' ? m.mail_value_yes() : m.mail_value_no()]
  const shown = shownValue(value, factMax)
  return [
    name,
    value.warning === null
      ? shown
      : m.mail_value_with_warning({ value: shown, warning: reasonText(value.warning) }),
  ]
}

/** Returns a value in brackets behind the action. An amount, a day and what the action is done to need no name there. */
function besideAction(value: MailedValue, isFirst: boolean): string {
  if (isFlag(value)) return nameOf(value)
  const shown = shownValue(value)
  if (value.role === 'recipient') return m.mail_to_value({ value: shown })
  const isPlain =
    (isFirst && (value.role === 'amount' || value.role === 'object')) || dateWords.has(value.name)
  return isPlain ? shown : m.mail_word_value({ word: nameOf(value), value: shown })
}

interface NamedAction {
  action: string
  /** The same before the name of its object, or null. */
  actionBeforeName: string | null
  values: MailedValue[]
  /** The name of the value that says most, or null. */
  named: string | null
}

/**
 * Returns the action with its values, the longest text first: "delete the database customers-production (force)". The caller takes the first
 * that fits. What needs a warning and what is secret is never in it.
 */
export function actionsWithValues({ action, actionBeforeName, values, named }: NamedAction): string[] {
  const plain = values.filter(
    (value) =>
      value.type !== 'secret' && value.warning === null && !(isFlag(value) && value.text === 'false'),
  )
  const first = plain.find(({ name }) => name === named)
  const rest = plain.filter((value) => value !== first)
  // What is only true is there because the risk comes from it, so it is the last to be left out.
  const others = [...rest.filter(isFlag), ...rest.filter((value) => !isFlag(value))]
  const { base, isInBase } = baseOf({ action, actionBeforeName }, first)
  const inBrackets = [...(first === undefined || isInBase ? [] : [first]), ...others]
  const shown = inBrackets.map((value) => besideAction(value, value === first))
  const least = first === undefined || isInBase ? 0 : 1
  const lengths = Array.from({ length: shown.length - least + 1 }, (_, index) => shown.length - index)
  const texts = lengths.map((length) => {
    const list = shown.slice(0, length).join(', ')
    return list === '' ? base : m.mail_action_value({ action: base, value: list })
  })
  return texts.includes(action) ? texts : [...texts, action]
}

function baseOf(
  { action, actionBeforeName }: Pick<NamedAction, 'action' | 'actionBeforeName'>,
  first: MailedValue | undefined,
): { base: string; isInBase: boolean } {
  if (first?.role === 'recipient')
    return { base: m.mail_action_to_value({ action, value: shownValue(first) }), isInBase: true }
  if (first?.role === 'object' && actionBeforeName !== null)
    return {
      base: m.mail_action_object_value({ action: actionBeforeName, value: shownValue(first) }),
      isInBase: true,
    }
  return { base: action, isInBase: false }
}
