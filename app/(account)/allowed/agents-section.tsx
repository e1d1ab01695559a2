import { Search } from 'lucide'
import { withBasePath } from '@/components/base-path'
import { Sentence } from '@/components/sentence'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Empty, Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { Agent } from '../agents/read'
import type { AgentActivity } from '../home/_agents/agents-overview'
import { AgentRow } from './agent-row'
import { Folded } from './folded'

interface AgentSearch {
  text: string
  withDeregistered: boolean
  cursor: string
}

interface AgentsSectionProps {
  items: Agent[]
  next_cursor: string | null
  activity: AgentActivity[]
  search: AgentSearch
  viewerId: string
  now: Date
}

/** Returns the address of a search, with `cursor` for a later page. */
function addressOf({ text, withDeregistered, cursor }: Partial<AgentSearch>): string {
  const query = new URLSearchParams({
    ...(text ? { q: text } : {}),
    ...(withDeregistered ? { include: 'deregistered' } : {}),
    ...(cursor ? { agents: cursor } : {}),
  }).toString()
  return `/allowed${query === '' ? '' : `?${query}`}#agents`
}

/** With so few agents, a search would be longer than the list. */
const searchedFrom = 9

/** The agents of the viewer, with what each did last. */
export function AgentsSection({ items, next_cursor, activity, search, viewerId, now }: AgentsSectionProps) {
  const { text, withDeregistered, cursor } = search
  const last = new Map(activity.map((one) => [one.agent_id, one]))
  const isSearched = text !== '' || next_cursor !== null || items.length >= searchedFrom
  return (
    <Section id="agents" title={m.allowed_agents()}>
      {isSearched ? <SearchForm {...search} /> : null}
      <p role="status" className="text-sm text-soft wrap-anywhere empty:hidden">
        {text === '' ? null : <Sentence of={m.allowed_found} with={{ count: items.length, text }} />}
      </p>
      {items.length === 0 ? (
        <Empty
          title={text === '' ? m.agents_no_active_agents() : m.agents_no_agents_found()}
          action={<ButtonLink href="/agents/new">{m.agents_connect_an_agent()}</ButtonLink>}
        />
      ) : (
        <Folded aria-label={m.allowed_agents()} more={(count) => m.allowed_more_agents({ count })}>
          {items.map((agent) => (
            <AgentRow
              key={agent.agent_id}
              agent={agent}
              activity={last.get(agent.agent_id)}
              viewerId={viewerId}
              now={now}
            />
          ))}
        </Folded>
      )}
      <p className="mt-2 flex flex-wrap gap-x-6 text-sm">
        {next_cursor === null ? null : (
          <MoreLink href={addressOf({ ...search, cursor: next_cursor })}>{m.agents_older_agents()}</MoreLink>
        )}
        {cursor === '' ? null : (
          <MoreLink href={addressOf({ ...search, cursor: '' })}>{m.agents_newest_agents()}</MoreLink>
        )}
        <MoreLink href={addressOf({ text, withDeregistered: !withDeregistered })}>
          {withDeregistered ? m.agents_hide_deregistered() : m.agents_show_deregistered()}
        </MoreLink>
      </p>
    </Section>
  )
}

/** Searches the agents. A GET form, so that it works without JavaScript, and so that Back works. */
function SearchForm({ text, withDeregistered }: AgentSearch) {
  return (
    <search className="mb-4 block">
      <form action={withBasePath('/allowed')} method="get" className="flex max-w-xl flex-wrap gap-3">
        <label htmlFor="q" className="visually-hidden">
          {m.agents_search_field_label()}
        </label>
        <div className="relative min-w-0 flex-1 basis-56">
          <Icon
            of={Search}
            size={18}
            className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-soft"
          />
          <input
            // A new search replaces what was typed before.
            key={text}
            id="q"
            name="q"
            type="search"
            defaultValue={text}
            maxLength={64}
            placeholder={m.agents_name_id_type_or_capability()}
            autoComplete="off"
            spellCheck={false}
            className="min-h-11 w-full rounded-control border border-edge bg-surface ps-10 pe-3 text-base text-ink placeholder:text-soft"
          />
        </div>
        {withDeregistered ? <input type="hidden" name="include" value="deregistered" /> : null}
        <button type="submit" className={buttonClass('plain')}>
          {m.agents_search()}
        </button>
      </form>
    </search>
  )
}

function MoreLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-soft underline hover:text-ink">
      {children}
    </Link>
  )
}
