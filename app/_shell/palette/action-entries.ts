/** What the palette does: decisions on several requests, blocks, the theme and the help. Each decision asks in a dialog first. */

import { isolated, personMark } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { m } from '@/lib/kernel/messages'
import { readersLocale } from '@/lib/kernel/text/time-words'
import type { PaletteData, PaletteEntry, PaletteRequest } from './entry'
import { ownerWords } from './owner-words'
import { reasonToOpen } from './reason-to-open'

type Decision = 'approve' | 'reject'

/** Returns the actions that the person can take now. */
export function actionEntries({ requests, isPasskeyRequired, isPaused }: PaletteData): PaletteEntry[] {
  const approvable = isPasskeyRequired ? [] : requests.filter((request) => reasonToOpen(request) === null)
  return [
    ...levels.flatMap((level) => decideLevel('approve', approvable, level)),
    ...[...levels].reverse().flatMap((level) => decideLevel('reject', requests, level)),
    ...(requests.length > 1
      ? [decideEntry('reject', requests, { key: 'all', label: m.palette_reject_all(countsOf(requests)) })]
      : []),
    ...byAsker('approve', approvable),
    ...byAsker('reject', requests),
    ...blockEntries(requests),
    pauseEntry(isPaused),
    ...themeEntries(),
    {
      key: 'shortcuts',
      group: 'Actions',
      label: m.palette_keyboard_shortcuts(),
      hint: m.palette_show_or_turn_them_off(),
      act: { opens: 'shortcut_help' },
    },
  ]
}

const levels = ['low', 'medium', 'high'] as const

function decideLevel(
  decision: Decision,
  requests: PaletteRequest[],
  level: (typeof levels)[number],
): PaletteEntry[] {
  const found = requests.filter(({ risk }) => risk === level)
  return found.length === 0
    ? []
    : [decideEntry(decision, found, { key: level, label: decideLabels[decision][level](countsOf(found)) })]
}

function byAsker(decision: Decision, requests: PaletteRequest[]): PaletteEntry[] {
  const askers = new Map<string, PaletteRequest[]>()
  for (const request of requests) {
    const found = askers.get(request.asker)
    if (found === undefined) askers.set(request.asker, [request])
    else found.push(request)
  }
  return [...askers].map(([asker, found]) => {
    const [first] = found
    const label = decideLabels[decision].from(countsOf(found))
    const entry = decideEntry(decision, found, { key: asker, label })
    return first === undefined ? entry : { ...entry, quoted: first.name, hint: ownerHint(first) }
  })
}

const decideLabels = {
  approve: {
    low: m.palette_approve_low,
    medium: m.palette_approve_medium,
    high: m.palette_approve_high,
    from: m.palette_approve_from,
  },
  reject: {
    low: m.palette_reject_low,
    medium: m.palette_reject_medium,
    high: m.palette_reject_high,
    from: m.palette_reject_from,
  },
}

const countsOf = ({ length: count }: PaletteRequest[]) => ({
  count,
  shown: count.toLocaleString(readersLocale()),
})

/** "Approve 12 low-risk requests": the dialog lists exactly these. */
function decideEntry(
  decision: Decision,
  requests: PaletteRequest[],
  { key, label }: { key: string; label: string },
): PaletteEntry {
  return {
    key: `${decision} ${key}`,
    group: 'Actions',
    label,
    hint: m.palette_lists_them_and_asks_first(),
    act: { command: { kind: 'decide', decision, ids: requests.map(({ id }) => id) } },
  }
}

const ownerHint = (request: PaletteRequest) => {
  const words = ownerWords(request)
  return m.palette_owner_asks_first({ owner: words.charAt(0).toUpperCase() + words.slice(1) })
}

/** The people who wait for an answer, except the viewer. The handle or the end of the id tells people with the same name apart. */
function blockEntries(requests: PaletteRequest[]): PaletteEntry[] {
  const people = new Map<string, { name: string; mark: string; count: number }>()
  for (const { ownerId, owner, operator, name } of requests) {
    if (operator === 'you') continue
    const mark = personMark(owner?.handle, ownerId)
    const found = people.get(ownerId) ?? { name: operator ?? name, mark, count: 0 }
    people.set(ownerId, { ...found, count: found.count + 1 })
  }
  return [...people].map(([id, { name, mark, count }]) => ({
    key: `block ${id}`,
    group: 'Actions',
    label: m.palette_block(),
    quoted: quotedName(name),
    hint: m.palette_mark_count_waiting_asks_first({ mark, count }),
    act: { command: { kind: 'block', duckling: { id, name: isolated(name), mark } } },
  }))
}

/** One switch for everything that may happen without asking. Resuming needs the passkey, so it leads to the room "Allowed". */
function pauseEntry(isPaused: boolean): PaletteEntry {
  const entry = { key: 'pause', group: 'Actions' as const }
  return isPaused
    ? {
        ...entry,
        label: m.rules_resume_all(),
        hint: m.palette_with_your_passkey(),
        act: { href: '/allowed' },
      }
    : { ...entry, label: m.rules_pause_all(), hint: m.palette_pause_hint(), act: { pauses: 'everything' } }
}

const themes = [
  ['dark', m.palette_theme_dark],
  ['light', m.palette_theme_light],
  ['system', m.palette_theme_system],
] as const

const themeEntries = (): PaletteEntry[] =>
  themes.map(([theme, label]) => ({
    key: theme,
    group: 'Actions',
    label: label(),
    hint: m.palette_colours(),
    act: { theme },
  }))
