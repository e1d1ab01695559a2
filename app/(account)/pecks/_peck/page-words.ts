/** What the service says about a risk and about values, in the language of the page. The API has it in English and as data. On the server only. */

import { inReadersLanguage, worded } from '@/lib/kernel/text/worded'
import type { DisplayValue, Peck } from './answers'

type Risk = NonNullable<Peck['risk']>
type Wording = Risk['reasons'][number]['wording']

/** Returns a sentence with marks around names and amounts. A row of an older version has only its English text. */
export const shownSentence = ({ text, wording }: { text: string; wording?: Wording }): string =>
  (wording && worded(wording)) ?? text

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
export const inPageLanguage = <Part extends { text: string; wording?: Wording }>(part: Part): Part => ({
  ...part,
  text: shownSentence(part),
})

/** Returns a risk with its sentences in the language of the page. */
export const riskInPageLanguage = (risk: Risk): Risk => ({
  ...risk,
  reasons: risk.reasons.map(inPageLanguage),
  novelty: risk.novelty.map(inPageLanguage),
})
