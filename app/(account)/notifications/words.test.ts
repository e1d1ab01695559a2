import { describe, expect, it } from 'vitest'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { Channel, Risk, Settings } from './read'
import { ringWords } from './words'

type Mail = Settings['channels']['mail']
const settings = (mail: Partial<Mail> = {}, gathered = false) => ({
  channels: { mail: { requests: 'all', announces: ['high'], ...mail } as Mail },
  gathered,
})
const channel = (name: string, ...announces: Risk[]) => ({ kind: 'ntfy', name, announces }) as Channel
const mail = { kind: 'mail', name: 'Mail', announces: ['high'] } as Channel
const all: Risk[] = ['high', 'medium', 'low']

describe('ringWords', () => {
  it.each([
    ['Every request: Mail.', settings(), [mail]],
    ['Every request: only in your inbox.', settings({ requests: 'none' }), []],
    ['High risks: Mail and Bell. Everything else: Bell.', settings(), [channel('Bell', ...all), mail]],
    // Mail gets what no other channel announces, whatever it announces as well.
    [
      'High risks: Bell. Everything else: Mail.',
      settings({ announces: [] }),
      [channel('Bell', 'high'), mail],
    ],
    [
      'High risks: Mail and Bell. Medium risks: Bell. Low risks: Mail.',
      settings(),
      [channel('Bell', 'high', 'medium'), mail],
    ],
    [
      'High risks: Mail. Everything else: only in your inbox.',
      settings({ requests: 'high_risk', announces: ['low'] }),
      [channel('Bell'), mail],
    ],
    [
      'Every request: Mail. No mail about requests of your own agents.',
      settings({ requests: 'others' }),
      [mail],
    ],
    [
      'Every request: Mail. Medium and low risks come together, a few times a day.',
      settings({}, true),
      [mail],
    ],
  ])('is “%s”', (words, stored, channels) => expect(withoutMarks(ringWords(stored, channels))).toBe(words))
})
