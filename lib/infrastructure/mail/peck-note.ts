/** The short form of `peckMessage`, for channels that show a title and a sentence. Text of others is quoted and has no links. */
import { m } from '@/lib/kernel/messages'
import { firstLineText, type MailedPeck, sentenceOf, titleOf } from './peck-message'

const risks = { high: m.channels_risk_high, medium: m.channels_risk_medium, low: m.channels_risk_low }

/** What a channel says. */
export interface NoteTexts {
  /** What to read first. Null: nothing, or the title says it. */
  firstLine: string | null
  title: string
  text: string
}

/** Returns the texts of a note about one peck. Whom the asker looks like is its title, because some channels show little more. */
export function peckNote(peck: MailedPeck, risk: keyof typeof risks | null): NoteTexts {
  const words = risk === null ? '' : ` ${risks[risk]()}`
  const line = firstLineText(peck)
  // The title has no place for the value then, so the sentence has it.
  if (line !== null && peck.firstLine?.isLikeness)
    return { firstLine: null, title: line, text: `${sentenceOf(peck, { withValue: true })}${words}` }
  return { firstLine: line, title: titleOf(peck, { withValue: true }), text: `${sentenceOf(peck)}${words}` }
}

/** Returns the texts of a note about more requests than may ring one by one. */
export const severalNote = (count: number): NoteTexts => ({
  firstLine: null,
  title: m.channels_several_title({ count: String(count) }),
  text: m.channels_several_text(),
})
