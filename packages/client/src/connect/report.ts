/** What the log of judged calls shows, for `beak connect report`. */
import type { LogEntry } from './log'

interface Group {
  action: string
  reason: string
  count: number
  /** At most three. */
  examples: string[]
}

export interface Summary {
  watched: number
  /** What the terminal was asked while the service was away, oldest first. */
  outages: string[]
  groups: Group[]
  /** Sentences about rules that would answer many of the calls. */
  proposals: string[]
}

const examplesMax = 3
const lengthMax = 100
/** A rule is proposed for calls that came at least so often in one folder. */
const oftenMin = 3

const shortened = (text: string) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > lengthMax ? `${line.slice(0, lengthMax - 1)}…` : line
}

/** Returns the calls by their action, the most frequent first, and which rules would answer many of them. */
export function summaryOf(entries: readonly LogEntry[]): Summary {
  const groups = new Map<string, Group>()
  const places = new Map<string, number>()
  for (const { kind, action, what, reasons, folder } of entries) {
    if (kind !== 'watched') continue
    const group = groups.get(action) ?? { action, reason: reasons[0] ?? '', count: 0, examples: [] }
    group.count++
    const example = shortened(what)
    if (group.examples.length < examplesMax && !group.examples.includes(example)) group.examples.push(example)
    groups.set(action, group)
    const place = `${action} in ${folder}`
    places.set(place, (places.get(place) ?? 0) + 1)
  }
  const watched = entries.filter(({ kind }) => kind === 'watched').length
  return {
    watched,
    outages: entries.filter(({ kind }) => kind === 'outage').map(({ what }) => shortened(what)),
    groups: [...groups.values()].sort((left, right) => right.count - left.count),
    // A line of several commands is never answered by a rule: each is another one.
    proposals: [...places]
      .filter(
        ([place, count]) => count >= oftenMin && !/^(?:run:commands?|change:agent-settings) /.test(place),
      )
      .sort(([, left], [, right]) => right - left)
      .slice(0, 5)
      .map(([place, count]) => `${place}: ${count} times so far`),
  }
}
