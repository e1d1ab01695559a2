/** What the service says about a risk and about values, in the language of the page. The API has it in English and as data. On the server only. */

import type { ResponseOf } from '@/app/beak/_api/lines'
import { m } from '@/lib/kernel/messages'
import { durationWords } from '@/lib/kernel/text/duration-words'
import { kept } from '@/lib/kernel/text/kept-values'
import { inReadersLanguage, worded } from '@/lib/kernel/text/worded'
import type { DisplayValue, Peck } from './answers'
import { requesterName } from './words'

type InboxItem = ResponseOf<'GET /beak/peck/inbox'>['items'][number]
type Risk = NonNullable<Peck['risk']>
type Wording = Risk['reasons'][number]['wording']

interface Sentence {
  text: string
  wording?: Wording
}

interface Asked {
  requester: Peck['requester']
  /** The duckling that reads the page. */
  viewerId: string
}

/**
 * Returns a sentence with marks around names and amounts. On a page, the asker has its name where the API says "this asker". A row of an older
 * version has only its English text.
 */
export function shownSentence({ text, wording }: Sentence, { requester, viewerId }: Asked): string {
  const isOwn = requester.duckling_id === viewerId
  const name = requesterName(requester)
  // The name of an agent stands in quotation marks, which keep it.
  const asker = requester.agent_name === undefined ? kept(name) : name
  switch (wording?.sentence) {
    case 'new_asker':
      return isOwn ? m.requests_own_agent_is_new({ asker }) : m.requests_asker_is_new({ asker })
    case 'new_action':
      return m.requests_action_is_new({ asker })
    case 'may_show_more':
      return m.requests_not_known_as_harmless()
    case 'new_agent': {
      const { age } = wording.values
      if (isOwn && typeof age === 'number') return m.requests_own_agent_added({ age: durationWords(age) })
    }
  }
  return (wording && worded(wording)) ?? text
}

/** Sentences that say no more than the action and the values of a row. */
const saidByRow = ['involves_amount', 'others_may_see']

/**
 * Returns what a list says about a waiting request below its values: the reason of a high risk, and of any other only when it says more than the
 * row. A permission without an end always says so.
 */
export function reasonText(
  { scope, first_line: line, risk_level, requester }: InboxItem,
  viewerId: string,
): string | null {
  const isSaid = risk_level !== 'high' && saidByRow.includes(line?.wording?.sentence ?? '')
  const reason = line === null || isSaid ? null : shownSentence(line, { requester, viewerId })
  if (scope !== 'standing' || line?.rule === 'standing') return reason
  return [m.requests_until_revoked(), ...(reason === null ? [] : [reason])].join(' ')
}

/** Returns a value with its words in the language of the page. In English, they are as they are signed. */
export function valueInPageLanguage<
  Value extends Pick<DisplayValue, 'text' | 'warning' | 'wording' | 'warning_wording'>,
>(value: Value): Value {
  const { text, warning, wording, warning_wording } = value
  return {
    ...value,
    text: inReadersLanguage({ text, wording }),
    ...(warning === undefined
      ? {}
      : { warning: inReadersLanguage({ text: warning, wording: warning_wording }) }),
  }
}

/** Returns a part with its sentence in the language of the page. */
export const inPageLanguage = <Part extends Sentence>(part: Part, asked: Asked): Part => ({
  ...part,
  text: shownSentence(part, asked),
})

/** Returns a risk with its sentences in the language of the page. */
export const riskInPageLanguage = (risk: Risk, asked: Asked): Risk => ({
  ...risk,
  reasons: risk.reasons.map((part) => inPageLanguage(part, asked)),
  novelty: risk.novelty.map((part) => inPageLanguage(part, asked)),
})
