import { knownCapabilities } from '@/app/(account)/agents/words'
import { builderWords, peopleWords } from '@/components/ui/hard-words'
import { exampleMessage } from '@/lib/http/openapi'
import { convertAnswer } from '@/lib/http/openapi-schemas'
import { type WebhookKind, webhookKinds, webhookMessages } from '@/lib/infrastructure/events/kinds'
import { config } from '@/lib/kernel/config'
import {
  type DailyLimitGroup,
  dailyLimitGroups,
  type LimitGroup,
  limitGroups,
  type PageLimitGroup,
  pageLimitGroups,
  perDay,
} from '@/lib/kernel/config/limits'
import { type Components, type Field, fieldsOf } from '../api/schema'

/** Returns a table as Markdown. Cells must not contain a bare `|` or a line break. */
function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The catalogue of webhook messages: each kind with its members and an example, from the same declaration as the API reference. */

/** The address of a kind on the page of the catalogue. */
const anchorOf = (kind: WebhookKind) => kind.replaceAll(/[._]/g, '-')

/** Returns the kinds with links to the catalogue, and when each is sent. */
function webhookKindTable(): string {
  return markdownTable(
    ['Kind', 'Sent when'],
    webhookKinds.map((kind) => [
      `[\`${kind}\`](/docs/webhook-events#${anchorOf(kind)})`,
      webhookMessages[kind].when(),
    ]),
  )
}

/** Returns a part for each kind: when it is sent, the members of its data, and a whole message. */
function webhookCatalogue(): string {
  const components: Components = {}
  const firstKinds = new Map<string, WebhookKind>()
  return webhookKinds
    .map((kind) => {
      const { data, when } = webhookMessages[kind]
      const schema = convertAnswer(data, components as Record<string, unknown>)
      const name = data.meta()?.id ?? kind
      const first = firstKinds.get(name)
      if (first === undefined) firstKinds.set(name, kind)
      return [
        `## \`${kind}\``,
        `${when()}.`,
        first === undefined
          ? memberTable(fieldsOf(schema, components))
          : `\`data\` has the same members as that of [\`${first}\`](#${anchorOf(first)}).`,
        `\`\`\`json\n${JSON.stringify(exampleMessage(kind), null, 2)}\n\`\`\``,
      ].join('\n\n')
    })
    .join('\n\n')
}

function memberTable(fields: Field[]): string {
  return markdownTable(
    ['Member of `data`', 'Type', 'Meaning'],
    fields.map(({ name, type, notes, isRequired, description }) => [
      `\`${name}\``,
      [type, ...notes, ...(isRequired ? [] : ['not always there'])].join(', ').replaceAll('|', '\\|'),
      (description ?? '').replaceAll('|', '\\|').replaceAll('\n', ' '),
    ]),
  )
}

/** Tables of the documentation that are made from the tables of the code, as Markdown. */

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

/** The words that people meet, the most important first. */
const words = () => wordTable(Object.values(peopleWords))

/** The words of builders, in the order of the alphabet. */
const wordsForBuilders = () =>
  wordTable(
    Object.values(builderWords).toSorted((one, other) => one.name().localeCompare(other.name(), 'en')),
  )

function wordTable(list: { name: () => string; line: () => string; href: string }[]): string {
  return markdownTable(
    ['Word', 'What it means'],
    list.map(({ name, line, href }) => [`[${name()}](${href})`, line()]),
  )
}

export const tables: Record<string, () => string> = {
  limits,
  budgets,
  capabilities,
  words,
  words_for_builders: wordsForBuilders,
  webhook_kinds: webhookKindTable,
  webhook_catalogue: webhookCatalogue,
}
