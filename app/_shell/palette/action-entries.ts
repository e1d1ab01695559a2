/** What the palette does: decisions on several requests, blocks, the theme and the help. Each decision asks in a dialog first. */
import { isolated, personMark } from '@/lib/kernel/text/person-name'
import { quotable } from '@/lib/kernel/text/quote'
import type { PaletteData, PaletteEntry, PaletteRequest } from './entry'
import { ownerWords } from './owner-words'
import { reasonToOpen } from './reason-to-open'

type Decision = 'approve' | 'reject'

/** Returns the actions that the person can take now. */
export function actionEntries({ requests, isPasskeyRequired }: PaletteData): PaletteEntry[] {
  const approvable = isPasskeyRequired ? [] : requests.filter((request) => reasonToOpen(request) === null)
  return [
    ...levels.flatMap((level) => decideLevel('approve', approvable, level)),
    ...[...levels].reverse().flatMap((level) => decideLevel('reject', requests, level)),
    ...(requests.length > 1 ? [decideEntry('reject', requests, { key: 'all', what: 'all ' })] : []),
    ...byAsker('approve', approvable),
    ...byAsker('reject', requests),
    ...blockEntries(requests),
    ...themeEntries,
    {
      key: 'shortcuts',
      group: 'Actions',
      label: 'Keyboard shortcuts',
      hint: 'Show, or turn them off',
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
  return found.length === 0 ? [] : [decideEntry(decision, found, { key: level, kind: `${level}-risk ` })]
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
    const entry = decideEntry(decision, found, { key: asker })
    return first === undefined
      ? entry
      : { ...entry, label: `${entry.label} from`, theirs: first.name, hint: ownerHint(first) }
  })
}

interface DecideOptions {
  key: string
  /** "all ". */
  what?: string
  /** "low-risk ". */
  kind?: string
}

/** "Approve 12 low-risk requests": the dialog lists exactly these. */
function decideEntry(
  decision: Decision,
  requests: PaletteRequest[],
  { key, what = '', kind = '' }: DecideOptions,
): PaletteEntry {
  const count = requests.length.toLocaleString('en')
  const verb = decision === 'approve' ? 'Approve' : 'Reject'
  return {
    key: `${decision} ${key}`,
    group: 'Actions',
    label: `${verb} ${what}${count} ${kind}${requests.length === 1 ? 'request' : 'requests'}`,
    hint: 'Lists them and asks first',
    act: { command: { kind: 'decide', decision, ids: requests.map(({ id }) => id) } },
  }
}

const ownerHint = (request: PaletteRequest) => {
  const words = ownerWords(request)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}. Asks first`
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
    label: 'Block',
    theirs: `“${quotable(name)}”`,
    hint: `${mark}, ${count} waiting. Asks first`,
    act: { command: { kind: 'block', duckling: { id, name: isolated(name), mark } } },
  }))
}

const themeEntries: PaletteEntry[] = (
  [
    ['dark', 'Theme: dark'],
    ['light', 'Theme: light'],
    ['system', 'Theme: same as system'],
  ] as const
).map(([theme, label]) => ({ key: label, group: 'Actions', label, hint: 'Colours', act: { theme } }))
