import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { m } from '@/lib/kernel/messages'
import { AgentRow } from './agent-row'
import { AgentSearch } from './agent-search'
import { NoAgents } from './no-agents'
import { type Agent, readAgents } from './read'

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
      <PageHead title={m.agents_agents()} lead={m.agents_programs_that_act_for_you_each()}>
        {hasAny ? <ButtonLink href="/rules">{m.rules_rules()}</ButtonLink> : null}
        {hasAny ? <ButtonLink href="/pecks/grants">{m.agents_what_they_may_do_now()}</ButtonLink> : null}
        {hasAny ? (
          <ButtonLink kind="primary" href="/agents/new">
            {m.agents_register_an_agent()}
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
        {m.agents_none_your_agents_has_text_in({ text })}
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
