/** The short form of `peckMessage`, for channels that show a title and a sentence. Text of others is quoted and has no links. */
import { m } from '@/lib/kernel/messages'
import { type MailedPeck, sentenceOf, subjectOfOne } from './peck-message'

const risks = { high: m.channels_risk_high, medium: m.channels_risk_medium, low: m.channels_risk_low }

/** Returns title and text of a note about one peck. */
export function peckNote(peck: MailedPeck, risk: keyof typeof risks | null): { title: string; text: string } {
  const words = risk === null ? '' : ` ${risks[risk]()}`
  return { title: subjectOfOne(peck), text: `${sentenceOf(peck)}${words}` }
}

/** Returns title and text of a note about more requests than may ring one by one. */
export const severalNote = (count: number): { title: string; text: string } => ({
  title: m.channels_several_title({ count: String(count) }),
  text: m.channels_several_text(),
})
