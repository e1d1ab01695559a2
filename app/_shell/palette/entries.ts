/** The entries of the command palette, and the search in them. */

import { isolated } from '@/lib/kernel/text/person-name'
import { type AccountPage, accountPages } from '../account-pages'
import { actionEntries } from './action-entries'
import { groups, type PaletteData, type PaletteEntry, type PaletteRequest } from './entry'
import { ownerWords } from './owner-words'

type OtherPage = Omit<AccountPage, 'letter'>

const otherPages: OtherPage[] = [
  { href: '/pecks/grants', label: 'Permissions', hint: 'What you allowed' },
  { href: '/pecks/sent', label: 'Sent requests', hint: 'What you asked for' },
  { href: '/pecks/history', label: 'History', hint: 'All requests, sent and received' },
  { href: '/pecks/blocked', label: 'Blocked people', hint: 'Unblock' },
  { href: '/pecks/new', label: 'New request', hint: 'Ask somebody for permission' },
  { href: '/agents/new', label: 'Register an agent', hint: 'New agent' },
  { href: '/verify', label: 'Verify', hint: 'Check a certificate, an agent, a receipt or a token' },
  { href: '/docs', label: 'Docs', hint: 'Guides and API reference' },
]

/** Returns all entries: pages first, then actions, agents and requests. */
export function entriesOf(data: PaletteData): PaletteEntry[] {
  return [
    ...[...accountPages, ...otherPages].map(({ href, label, hint }: OtherPage) => ({
      key: href,
      group: 'Pages' as const,
      label,
      hint,
      act: { href },
    })),
    ...actionEntries(data),
    ...data.agents.map(({ id, name, status }) => ({
      key: id,
      group: 'Agents' as const,
      label: name,
      hint: status,
      act: { href: `/agents/manage/${id}` },
    })),
    ...data.requests.map(requestEntry),
  ]
}

const riskWords = { low: 'Low risk', medium: 'Medium risk', high: 'High risk' }

function requestEntry(request: PaletteRequest): PaletteEntry {
  const { id, words, value, name, risk } = request
  return {
    key: id,
    group: 'Requests',
    label: words,
    ...(value === null ? {} : { theirs: value }),
    hint: `${riskWords[risk]}, ${isolated(name)}, ${ownerWords(request)}`,
    act: { href: `/pecks?peck=${id}` },
  }
}

const maxShown = 30

/**
 * Returns the entries that have all words. First the group whose labels fit best, and in a group, the labels that begin with the text. Words
 * of other people never put an entry before one whose label has all words. Without words, returns only pages.
 */
export function findEntries(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.toLowerCase().trim()
  if (wanted === '') return entries.filter(({ group }) => group === 'Pages')
  const words = wanted.split(/\s+/)
  const hasAll = (texts: string) => words.every((word) => texts.toLowerCase().includes(word))
  const found = entries
    .filter(({ label, theirs = '', hint }) => hasAll(`${label} ${theirs} ${hint}`))
    .map((entry) => {
      const { label, group } = entry
      const rank = label.toLowerCase().startsWith(wanted) ? 0 : hasAll(label) ? 1 : 2
      return { entry, group, rank }
    })
  const best = new Map(groups.map((group) => [group, 3]))
  for (const { group, rank } of found) best.set(group, Math.min(best.get(group) ?? 3, rank))
  const place = (group: PaletteEntry['group']) =>
    (best.get(group) ?? 3) * groups.length + groups.indexOf(group)
  return found
    .sort((left, right) => place(left.group) - place(right.group) || left.rank - right.rank)
    .slice(0, maxShown)
    .map(({ entry }) => entry)
}
