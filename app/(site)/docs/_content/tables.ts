/** Tables of the documentation that are made from the tables of the code, as Markdown. */
import { knownCapabilities } from '@/app/(account)/agents/words'
import { hardWords } from '@/components/ui/hard-words'
import { config } from '@/lib/kernel/config'
import {
  type DailyLimitGroup,
  dailyLimitGroups,
  type LimitGroup,
  limitGroups,
  type PageLimitGroup,
  pageLimitGroups,
  perDay,
} from '@/lib/kernel/config/limit-table'
import { markdownTable } from './markdown-table'
import { webhookCatalogue, webhookKindTable } from './webhook-catalogue'

/** What each group of limits covers. */
const covered: Record<LimitGroup | PageLimitGroup, string> = {
  metrics: 'public counts',
  signup: 'sign-up',
  status: 'status of the service',
  newsletter: 'newsletter',
  support: 'messages to the support',
  pageview: 'page views',
  signin: 'sign-in',
  otp: 'codes for the sign-in',
  anonymous: 'calls without a credential, and calls whose credential is refused',
  authenticated: 'calls with a session token or a beak key',
  tlog: 'transparency log',
  pages: 'pages of this service',
  images: 'pictures that other sites show for a link',
}

/** The limits of this service, which its configuration can change. */
function limits(): string {
  return markdownTable(
    ['Group', 'Covers', 'A minute', 'At once', 'Counted by'],
    [...limitGroups, ...pageLimitGroups].map((group) => {
      const { perMinute, burst } = config().limits[group]
      const counted = group === 'authenticated' ? 'account' : 'address'
      return [`\`${group}\``, covered[group], String(perMinute), String(burst), counted]
    }),
  )
}

/** What each budget covers. */
const budgetCovers: Record<DailyLimitGroup, [covers: string, countedBy: string]> = {
  ask: ['requests for permission, also cancelled ones', 'operator and person who is asked'],
  find: ['searches for a person', 'account, and address'],
  invited: ['announced requests with an invitation link', 'person who is asked'],
  rings: ['announcements on channels; high risks have a second one', 'person who is asked'],
  strangers: ['requests of people who are not known', 'person who is asked'],
  code: ['codes by mail, without that of the sign-up', 'address'],
}

/** The budgets of this service. */
function budgets(): string {
  return markdownTable(
    ['Budget', 'Covers', 'A day', 'At once', 'Counted by'],
    dailyLimitGroups.map((group) => {
      const [covers, countedBy] = budgetCovers[group]
      const limit = config().limits[group]
      return [`\`${group}\``, covers, String(perDay(limit)), String(limit.burst), countedBy]
    }),
  )
}

function capabilities(): string {
  return markdownTable(
    ['Capability', 'Allows the agent to'],
    knownCapabilities.map(({ value, label }) => [`\`${value}\``, label]),
  )
}

/** The hard words of the pages, in the order of the alphabet. */
function words(): string {
  const sorted = Object.values(hardWords).toSorted((one, other) =>
    one.name().localeCompare(other.name(), 'en'),
  )
  return markdownTable(
    ['Word', 'What it means'],
    sorted.map(({ name, line, href }) => [`[${name()}](${href})`, line()]),
  )
}

export const tables: Record<string, () => string> = {
  limits,
  budgets,
  capabilities,
  words,
  webhook_kinds: webhookKindTable,
  webhook_catalogue: webhookCatalogue,
}
