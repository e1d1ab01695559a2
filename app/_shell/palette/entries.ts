/** The entries of the command palette, and the search in them. */
import { actionWords } from '@/lib/kernel/text/action-words'
import { quotable } from '@/lib/kernel/text/quote'
import { accountPages } from '../account-pages'

/** What the command palette leads to. */
export interface PaletteEntry {
  group: 'Pages' | 'Agents' | 'Requests'
  label: string
  /** More words that find the entry, shown beside it. */
  hint: string
  href: string
}

/** What `GET /api/palette` answers. */
export interface PaletteData {
  agents: { id: string; name: string; status: string }[]
  requests: { id: string; action: string; asker: string; value: string | null }[]
}

const otherPages = [
  { href: '/pecks/grants', label: 'Permissions', hint: 'What you allowed' },
  { href: '/pecks/sent', label: 'Sent requests', hint: 'What you asked for' },
  { href: '/pecks/history', label: 'History', hint: 'All requests, sent and received' },
  { href: '/pecks/blocked', label: 'Blocked people', hint: 'Unblock' },
  { href: '/pecks/new', label: 'New request', hint: 'Ask somebody for permission' },
  { href: '/agents/new', label: 'Register an agent', hint: 'New agent' },
  { href: '/verify', label: 'Verify', hint: 'Check a certificate, an agent, a receipt or a token' },
  { href: '/docs', label: 'Docs', hint: 'Guides and API reference' },
]

/** Returns all entries: pages first, then agents, then requests. */
export function entriesOf({ agents, requests }: PaletteData): PaletteEntry[] {
  return [
    ...[...accountPages, ...otherPages].map((page) => ({ group: 'Pages' as const, ...page })),
    ...agents.map(({ id, name, status }) => ({
      group: 'Agents' as const,
      label: name,
      href: `/agents/manage/${id}`,
      hint: status,
    })),
    ...requests.map(({ id, action, asker, value }) => ({
      group: 'Requests' as const,
      label: value === null ? actionWords(action) : `${actionWords(action)}: ${quotable(value)}`,
      href: `/pecks?peck=${id}`,
      hint: `“${quotable(asker)}”`,
    })),
  ]
}

const maxShown = 30

/** Returns the entries that have all words, those whose label begins with the text first. Without words, only pages. */
export function findEntries(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.toLowerCase().trim()
  if (wanted === '') return entries.filter(({ group }) => group === 'Pages')
  const words = wanted.split(/\s+/)
  const found = entries.filter(({ label, hint }) => {
    const all = `${label} ${hint}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const groups = ['Pages', 'Agents', 'Requests']
  const rank = ({ group, label }: PaletteEntry) =>
    groups.indexOf(group) * 2 + (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return found.sort((left, right) => rank(left) - rank(right)).slice(0, maxShown)
}
