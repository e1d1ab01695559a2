import { Search } from 'lucide'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { withBasePath } from '@/components/base-path'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { AgentRow } from './agent-row'
import { type Agent, readAgents } from './read'

interface AgentSearchProps {
  text: string
  withDeregistered: boolean
}

/** Searches the agents. A GET form, so that it works without JavaScript, and so that Back works. */
function AgentSearch({ text, withDeregistered }: AgentSearchProps) {
  return (
    <search className="mb-6 block">
      <form action={withBasePath('/agents')} method="get" className="flex max-w-xl flex-wrap gap-3">
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

const steps = [
  { title: m.agents_step_address, text: m.agents_step_address_text },
  { title: m.agents_step_allow, text: m.agents_step_allow_text },
  { title: m.agents_let_it_ask, text: m.agents_none_yet_ask_step },
]

/** Shown before the first agent: how to get one, in three steps. */
function NoAgents({ operatorId }: { operatorId: string }) {
  return (
    <div className="border-y border-line py-10">
      <div aria-hidden="true" className="flex items-end">
        {['one', 'four', 'eight'].map((id, index) => (
          <span key={id} className="me-2 rounded-full border border-dashed border-edge p-0.5">
            <Duck id={id} size={40 + index * 8} className="opacity-25 grayscale" />
          </span>
        ))}
        <Duck id={operatorId} size={96} />
      </div>
      <h2 className="mt-6">{m.agents_no_agents_yet()}</h2>
      <ol className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title()}>
            <p className="font-display text-2xl font-semibold text-soft tabular-nums">{index + 1}</p>
            <h3 className="mt-1">{title()}</h3>
            <p className="mt-1 text-sm text-soft">{text()}</p>
          </li>
        ))}
      </ol>
      <p className="mt-8">
        <ButtonLink kind="primary" href="/agents/new">
          {m.agents_connect_first_agent()}
        </ButtonLink>
      </p>
    </div>
  )
}

export const generateMetadata = (): Metadata => ({ title: m.agents_agents(), robots: { index: false } })

type Parameter = 'q' | 'include' | 'cursor'

interface AgentsPageProps {
  searchParams: Promise<Partial<Record<Parameter, string | string[]>>>
}

/** What the list shows: the text that agents contain, and whether deregistered ones are listed. */
interface View {
  text: string
  withDeregistered: boolean
}

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

/** Returns the address of a view, with `cursor` for a later page. */
function addressOf({ text, withDeregistered }: View, cursor = ''): string {
  const query = new URLSearchParams({
    ...(text === '' ? {} : { q: text }),
    ...(withDeregistered ? { include: 'deregistered' } : {}),
    ...(cursor === '' ? {} : { cursor }),
  }).toString()
  return query === '' ? '/agents' : `/agents?${query}`
}

export default withProblemPage(async function AgentsPage({ searchParams }: AgentsPageProps) {
  const given = await searchParams
  const cursor = firstOf(given.cursor)
  const view: View = {
    text: firstOf(given.q).trim(),
    withDeregistered: firstOf(given.include) === 'deregistered',
  }
  const viewer = await requireViewer(addressOf(view, cursor))
  const { items, next_cursor } = await readAgents({ ...view, limit: '50', cursor })
  const hasAny =
    items.length > 0 || (await readAgents({ withDeregistered: true, limit: '1' })).items.length > 0
  return (
    <>
      <PageHead title={m.agents_agents()} lead={m.agents_list_page_intro()}>
        {hasAny ? <ButtonLink href="/rules">{m.rules_always_allowed()}</ButtonLink> : null}
        {hasAny ? <ButtonLink href="/pecks/grants">{m.agents_what_they_may_do_now()}</ButtonLink> : null}
        {hasAny ? (
          <ButtonLink kind="primary" href="/agents/new">
            {m.agents_connect_an_agent()}
          </ButtonLink>
        ) : null}
      </PageHead>
      {hasAny ? <AgentSearch {...view} /> : <NoAgents operatorId={viewer.duckling_id} />}
      {hasAny ? <AgentList agents={items} view={view} /> : null}
      <p className="mt-5 flex flex-wrap gap-x-6 text-sm">
        {next_cursor === null ? null : (
          <MoreLink href={addressOf(view, next_cursor)}>{m.agents_older_agents()}</MoreLink>
        )}
        {cursor === '' ? null : <MoreLink href={addressOf(view)}>{m.agents_newest_agents()}</MoreLink>}
        {hasAny ? (
          <MoreLink href={addressOf({ ...view, withDeregistered: !view.withDeregistered })}>
            {view.withDeregistered ? m.agents_hide_deregistered() : m.agents_show_deregistered()}
          </MoreLink>
        ) : null}
      </p>
    </>
  )
})

function AgentList({ agents, view }: { agents: Agent[]; view: View }) {
  const { text } = view
  if (agents.length === 0 && text === '')
    return <Empty title={m.agents_no_active_agents()}>{m.agents_all_your_agents_are_deregistered()}</Empty>
  if (agents.length === 0)
    return (
      <Empty
        title={m.agents_no_agents_found()}
        action={<ButtonLink href={addressOf({ ...view, text: '' })}>{m.agents_clear_search()}</ButtonLink>}
      >
        <Sentence of={m.agents_none_your_agents_has_text_in} with={{ text }} />
      </Empty>
    )
  const now = readClock()
  return (
    <>
      {text === '' ? null : (
        <p role="status" className="mb-4 text-sm text-soft wrap-anywhere">
          <Sentence
            of={m.agents_agents_with_text_clear_search}
            with={{ text }}
            parts={{
              link: (children) => (
                <Link
                  href={addressOf({ ...view, text: '' })}
                  className="inline-block py-0.5 text-ink underline"
                >
                  {children}
                </Link>
              ),
            }}
          />
        </p>
      )}
      <ul className="border-b border-line sm:-mx-3">
        {agents.map((agent) => (
          <AgentRow key={agent.agent_id} agent={agent} now={now} />
        ))}
      </ul>
    </>
  )
}

function MoreLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex min-h-11 items-center text-soft underline hover:text-ink">
      {children}
    </Link>
  )
}
