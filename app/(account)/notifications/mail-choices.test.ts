import { describe, expect, it } from 'vitest'
import { firstChoice, type MailChoice, mailChoice, mailSettings, offeredChoices } from './mail-choices'
import type { Risk } from './read'

const risks: Risk[] = ['high', 'medium', 'low']
const requests = ['all', 'others', 'high_risk', 'none'] as const
const subsets: Risk[][] = [
  [],
  ['high'],
  ['medium'],
  ['low'],
  ['high', 'medium'],
  ['high', 'low'],
  ['medium', 'low'],
  risks,
]
const stored = requests.flatMap((kind) => subsets.map((announces) => ({ requests: kind, announces })))
type Mail = (typeof stored)[number]
const each = <T>(of: (risk: Risk) => T) =>
  Object.fromEntries(risks.map((risk) => [risk, of(risk)])) as Record<Risk, T>
const choicesOf = (mail: Mail): Record<Risk, MailChoice> => each((risk) => mailChoice(mail, risk))

describe('the choices for mail', () => {
  it.each(stored)('mail the same risks after they were saved unchanged: $requests $announces', (mail) => {
    const fields = each((risk) => firstChoice(mail, risk))
    const saved = { ...mail, ...mailSettings(fields, mail.requests !== 'others') }
    expect(saved.requests).toBe(mail.requests)
    expect(choicesOf(saved)).toEqual(choicesOf(mail))
  })

  it('mail what they say, and "never" counts for lower risks too', () => {
    for (const high of offeredChoices.high)
      for (const medium of offeredChoices.medium)
        for (const low of offeredChoices.low) {
          const settings = mailSettings({ high, medium, low }, true)
          const saved = { requests: 'all' as const, announces: [], ...settings }
          const rest = high === 'never' ? 'never' : medium
          const lowest = rest === 'never' ? 'never' : low
          expect(choicesOf(saved)).toEqual({ high, medium: rest, low: lowest })
        }
  })
})
