/** The entries of the command palette, and the search in them. */

import { isolated } from '@beak/decision/person-name'
import { m } from '@/lib/kernel/messages'
import { searchForm } from '@/lib/kernel/typed/search'
import { type AccountPage, accountPages, shownPages } from '../account-pages'
import { actionEntries } from './action-entries'
import { groups, type PaletteData, type PaletteEntry, type PaletteRequest } from './entry'
import { ownerWords } from './owner-words'

type OtherPage = Omit<AccountPage, 'letter'>

const otherPages: OtherPage[] = [
  { href: '/allowed#agents', label: m.palette_agents, hint: m.palette_agents_hint },
  { href: '/allowed#rules', label: m.palette_rules, hint: m.palette_rules_hint },
  { href: '/allowed#permissions', label: m.palette_permissions, hint: m.palette_what_my_agents_may_do_now },
  { href: '/pecks/sent', label: m.palette_sent_requests, hint: m.palette_what_you_asked_for },
  { href: '/pecks/contacts', label: m.palette_people, hint: m.palette_people_hint },
  { href: '/pecks/history', label: m.palette_history, hint: m.palette_requests_that_are_over },
  { href: '/pecks/blocked', label: m.palette_blocked_people, hint: m.palette_unblock },
  { href: '/pecks/new', label: m.palette_ask_somebody, hint: m.palette_ask_somebody_hint },
  { href: '/rules/new', label: m.palette_new_rule, hint: m.palette_always_allow_up_to },
  { href: '/agents/new', label: m.palette_connect_an_agent, hint: m.palette_new_agent },
  { href: '/security#sessions', label: m.palette_lost_device, hint: m.palette_lost_device_hint },
  { href: '/verify', label: m.palette_verify, hint: m.palette_check_certificate_agent_receipt_or_token },
  { href: '/docs', label: m.palette_docs, hint: m.palette_guides_and_api_reference },
]

/** Returns all entries: pages first, then actions, agents and requests. */
export function entriesOf(data: PaletteData): PaletteEntry[] {
  return [
    ...[...shownPages(accountPages, data.isBuilder), ...otherPages].map(
      ({ href, label, hint }: OtherPage) => ({
        key: href,
        group: 'Pages' as const,
        label: label(),
        hint: hint(),
        act: { href },
      }),
    ),
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

const riskWords = {
  low: m.palette_low_risk,
  medium: m.palette_medium_risk,
  high: m.palette_high_risk,
}

function requestEntry(request: PaletteRequest): PaletteEntry {
  const { id, words, value, name, risk } = request
  return {
    key: id,
    group: 'Requests',
    label: words,
    ...(value === null ? {} : { quoted: value }),
    hint: `${riskWords[risk]()}, ${isolated(name)}, ${ownerWords(request)}`,
    act: { command: { kind: 'select', id } },
  }
}

const maxShown = 30

/**
 * Returns the entries that have all words. First the group whose labels fit best, and in a group, the labels that begin with the text. Words
 * of other people never put an entry before one whose label has all words. Without words, returns only pages.
 */
export function findEntries(entries: PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = searchForm(text).trim()
  if (wanted === '') return entries.filter(({ group }) => group === 'Pages')
  const words = wanted.split(/\s+/)
  const hasAll = (texts: string) => words.every((word) => searchForm(texts).includes(word))
  const found = entries
    .filter(({ label, quoted = '', hint }) => hasAll(`${label} ${quoted} ${hint}`))
    .map((entry) => {
      const { label, group } = entry
      const rank = searchForm(label).startsWith(wanted) ? 0 : hasAll(label) ? 1 : 2
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
