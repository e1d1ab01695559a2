import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { type EventKind, type EventTopic, eventKinds, eventTopics } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'
import { valueInPageLanguage } from '../pecks/_peck/page-words'
import { LogCheck } from './_check/log-check'
import { type Deed, deedsOf } from './_events/deeds'
import { EventDays, type EventValues, peckOf } from './_events/event-days'
import type { AuditEvent } from './_events/event-sentence'
import { rulesOf } from './_events/rule-words'
import { ContinuedLogNotice } from './continued-log-notice'
import { Downloads } from './downloads'
import { FilterForm } from './filter-form'
import { LogPanel, panelProofOf } from './log-panel'

const valuesMax = 2

export interface Filter {
  action: string
  topic: '' | EventTopic
  outcome: '' | 'denied'
  cursor: string
}

const topicLabels: Record<EventTopic, () => string> = {
  agents: m.audit_topic_agents,
  requests: m.audit_topic_requests,
  sign_ins: m.audit_topic_sign_ins,
  settings: m.audit_topic_settings,
  people: m.audit_topic_people,
}

/** Returns the filter in the address. An unknown event type, topic or outcome means no filter, because addresses get cut and mistyped. */
function filterIn(given: Record<string, string | string[] | undefined>): Filter {
  // A parameter that is given twice becomes a text that the API rejects.
  const text = (name: string) => String(given[name] ?? '')
  return {
    action: Object.hasOwn(eventKinds, text('action')) ? text('action') : '',
    topic: eventTopics.find((topic) => topic === text('topic')) ?? '',
    outcome: text('outcome') === 'denied' ? 'denied' : '',
    cursor: text('cursor'),
  }
}

/** Links for what people look for. The forms for one kind of event are for experts. */
function Topics({ filter: { action, topic, outcome } }: { filter: Filter }) {
  const links = [
    { href: '/audit', label: m.audit_everything(), isChosen: !(action || topic || outcome) },
    ...eventTopics.map((name) => ({
      href: `/audit?topic=${name}`,
      label: topicLabels[name](),
      isChosen: topic === name,
    })),
    {
      href: '/audit?outcome=denied',
      label: m.audit_refused(),
      isChosen: outcome === 'denied' && action === '' && topic === '',
    },
    ...(action === ''
      ? []
      : [
          {
            href: `/audit?action=${action}`,
            label: eventKinds[action as EventKind].label(),
            isChosen: true,
          },
        ]),
  ]
  return (
    <nav aria-label={m.audit_filter_events()}>
      <ul className="flex flex-wrap gap-2">
        {links.map(({ href, label, isChosen }) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={isChosen ? 'page' : undefined}
              className="inline-flex min-h-11 items-center rounded-control border border-edge bg-surface px-4 text-sm font-semibold no-underline hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-ground"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function NoEvents({ filter: { action, topic } }: { filter: Filter }) {
  const isOfType = action !== '' || topic !== ''
  return (
    <div className="mt-8">
      <Empty
        title={isOfType ? m.audit_no_events_of_this_type() : m.audit_no_refused_events()}
        action={<ButtonLink href="/audit">{m.audit_show_everything()}</ButtonLink>}
      >
        {isOfType ? m.audit_choose_another_event() : m.audit_nothing_was_refused_on_your_account()}
      </Empty>
    </div>
  )
}

function Pages({ filter, next }: { filter: Filter; next: string | null }) {
  if (filter.cursor === '' && next === null) return null
  const hrefOf = (cursor: string) => {
    const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== '')
    return given.length === 0 ? '/audit' : `/audit?${new URLSearchParams(given)}`
  }
  return (
    <nav aria-label={m.audit_pages()} className="mt-7 flex flex-wrap gap-3">
      {filter.cursor === '' ? null : <ButtonLink href={hrefOf('')}>{m.audit_newest()}</ButtonLink>}
      {next === null ? null : <ButtonLink href={hrefOf(next)}>{m.audit_older()}</ButtonLink>}
    </nav>
  )
}

/** A filter for one kind of event or for refusals shows each event. */
const deedsIn = (events: AuditEvent[], { action, outcome }: Filter): Deed[] =>
  action === '' && outcome === '' ? deedsOf(events) : events.map((event) => ({ event, steps: [] }))

export const generateMetadata = (): Metadata => ({ title: m.audit_activity(), robots: { index: false } })

/** Returns the values that decide most of each request in the log, by its id. The log has none: it is kept longer than requests are. */
async function valuesOf(events: AuditEvent[]): Promise<EventValues> {
  const ids = [...new Set(events.flatMap((event) => peckOf(event) ?? []))]
  if (ids.length === 0) return {}
  const details = await api('GET /beak/peck/details', { query: { peck_ids: ids.join(',') } })
  if (!details.ok) return {}
  return Object.fromEntries(
    details.data.items.map(({ peck_id, display }) => [
      peck_id,
      display.values.slice(0, valuesMax).map(valueInPageLanguage),
    ]),
  )
}

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default withProblemPage(async function AuditPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/audit')
  const filter = filterIn(await searchParams)
  const [{ items, next_cursor, names = {}, marks = {} }, proof] = await Promise.all([
    read('GET /beak/audit', {
      query: {
        ...filter,
        topic: filter.topic || undefined,
        outcome: filter.outcome || undefined,
        limit: '50',
        names: 'true',
      },
    }),
    api('GET /beak/audit/proof', { query: { entries: 'true' } }),
  ])
  return (
    <>
      <PageHead title={m.audit_activity()} lead={m.audit_page_intro()} />
      {proof.ok && proof.data.continues ? <ContinuedLogNotice continued={proof.data.continues} /> : null}
      <Topics filter={filter} />
      {items.length === 0 ? (
        <NoEvents filter={filter} />
      ) : (
        <EventDays
          deeds={deedsIn(items, filter)}
          reader={{ id: viewer.duckling_id, names, marks }}
          values={await valuesOf(items)}
          rules={await rulesOf(items, viewer.duckling_id)}
          userAgent={(await headers()).get('user-agent')}
        />
      )}
      <Pages filter={filter} next={next_cursor} />
      <div className="mt-14">
        <ForExperts hint={m.audit_experts_hint()}>
          <LogCheck ducklingId={viewer.duckling_id} />
          <FilterForm filter={filter} />
          <LogPanel proof={panelProofOf(proof)} />
          <Downloads />
        </ForExperts>
      </div>
    </>
  )
})
