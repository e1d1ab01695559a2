/** The words of the service about a request. On the server only, so that the browser does not get the table of words for actions. */
import { type ApproveNaming, approveNaming } from '@beak/decision/approve-naming'
import { isFreeText } from '@beak/decision/free-text'
import { m } from '@/lib/kernel/messages'
import type { MessagePart } from '@/lib/kernel/messages/parts'
import {
  isKnownAction,
  sentenceCase,
  shownActionBeforeName,
  shownRequest,
} from '@/lib/kernel/text/shown-action'
import type { Peck, PeckDetails } from './answers'

/** What the button of a high risk says, around a value in a frame of its own: "delete the database “customers-production”". */
export interface ApproveWords {
  before: string
  /** Null: `before` is the whole text. */
  value: string | null
  after: string
}

export interface RequestWords {
  /** "send an email". */
  action: string
  /** "Send an email". */
  title: string
  /** Whether the service knows the action. If not, `action` has the words of the asker, in quotation marks. */
  isKnown: boolean
  approve: ApproveWords
}

/** Returns the words about a request, in the language of the page. */
export function requestWords(
  peck: Pick<Peck, 'action' | 'params' | 'risk'>,
  { display }: Pick<PeckDetails, 'display'>,
): RequestWords {
  // Only the target gets the risk.
  const words = shownRequest(peck, peck.risk !== undefined)
  return {
    action: words,
    title: sentenceCase(words),
    isKnown: isKnownAction(peck.action),
    approve: isFreeText(peck.action)
      ? { before: m.action_approve_favour(), value: null, after: '' }
      : approveWords(peck.action, words, approveNaming(display)),
  }
}

const quoted = (words: string) => (words.startsWith('“') ? words : `“${words}”`)

function approveWords(action: string, words: string, { how, value }: ApproveNaming): ApproveWords {
  if (how === 'action') return { before: words, value: null, after: '' }
  if (how === 'unlisted') return around(m.action_approve_unlisted.parts({}), quoted(words))
  if (how === 'amount') return around(m.action_approve_amount.parts({ action: words }), value)
  return how === 'recipient'
    ? around(m.action_approve_recipient.parts({ action: words }), value)
    : around(m.action_approve_object.parts({ action: shownActionBeforeName(action) ?? words }), value)
}

/** Splits a sentence at its value. */
function around(parts: MessagePart[], value: string): ApproveWords {
  const place = parts.findIndex(({ type }) => type === 'markup-standalone')
  const textOf = (some: MessagePart[]) =>
    some
      .map((part) => (part.type === 'text' ? part.value : ''))
      .join('')
      .trim()
  return { before: textOf(parts.slice(0, place)), value, after: textOf(parts.slice(place + 1)) }
}
