import type { Metadata } from 'next'
import Link from 'next/link'
import { api } from '@/app/_web/api'
import { withBasePath } from '@/app/_web/base-path'
import { eventGroups } from '@/app/_web/event-groups'
import type { Reader } from '@/app/_web/event-sentence'
import { PageProblem } from '@/app/_web/page-problem'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Button, ButtonLink, buttonClass } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { Empty, PageHead } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import type { AuditEventOutput } from '@/lib/domain/audit/schema'
import { eventKinds } from '@/lib/infrastructure/events/kinds'
import { ChainCheck } from './chain-check'
import { EventItem } from './event-item'
import { LogPanel, panelProofOf } from './log-panel'

export const metadata: Metadata = { title: 'Audit log', robots: { index: false } }

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

interface Filter {
  action: string
  outcome: '' | 'denied'
  cursor: string
}

export default withProblemPage(async function AuditPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/audit')
  const given = await searchParams
  // A parameter that is given twice becomes one that the API refuses.
  const text = (name: string) => String(given[name] ?? '')
  // What is no kind or outcome of ours is no filter: addresses get cut and mistyped.
  const filter: Filter = {
    action: Object.hasOwn(eventKinds, text('action')) ? text('action') : '',
    outcome: text('outcome') === 'denied' ? 'denied' : '',
    cursor: text('cursor'),
  }
  const result = await api('GET /beak/audit', {
    query: { ...filter, outcome: filter.outcome || undefined, limit: '50', names: 'true' },
  })
  if (!result.ok) throw new PageProblem(result.problem)
  const proof = await api('GET /beak/audit/proof')
  const { items, next_cursor, names = {} } = result.data
  const reader = { id: viewer.duckling_id, names }
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Everything that happened to your account, and everything that was refused. Nobody can take an event out or change one unnoticed: each carries the hash of the one before it."
      />
      <ChainCheck ducklingId={viewer.duckling_id} />
      <Filters filter={filter} />
      {items.length === 0 ? <None filter={filter} /> : <Days events={items} reader={reader} />}
      <Pages filter={filter} next={next_cursor} />
      <LogPanel proof={panelProofOf(proof)} />
      <Downloads />
    </>
  )
})

function Filters({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <form
      key={`${action} ${outcome}`}
      action={withBasePath('/audit')}
      className="mt-10 flex flex-wrap items-end gap-4 border-t border-line pt-7"
    >
      <div className="w-full sm:w-64">
        <SelectField label="What" name="action" defaultValue={action}>
          <option value="">Everything</option>
          {eventGroups.map(({ label, kinds }) => (
            <optgroup key={label} label={label}>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {eventKinds[kind].label}
                </option>
              ))}
            </optgroup>
          ))}
        </SelectField>
      </div>
      <div className="w-full sm:w-56">
        <SelectField label="Outcome" name="outcome" defaultValue={outcome}>
          <option value="">Done or refused</option>
          <option value="denied">Refused only</option>
        </SelectField>
      </div>
      <Button type="submit">Show</Button>
      {action || outcome ? (
        <ButtonLink kind="quiet" href="/audit">
          Show everything
        </ButtonLink>
      ) : null}
    </form>
  )
}

function None({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <div className="mt-8">
      <Empty
        title={outcome ? 'Nothing was refused' : 'Nothing of this kind has happened'}
        action={<ButtonLink href="/audit">Show everything</ButtonLink>}
      >
        {action ? 'Choose another kind of event, or look at all of them.' : 'That is how it should be.'}
      </Empty>
    </div>
  )
}

/** The events under their days, newest first. */
function Days({ events, reader }: { events: AuditEventOutput[]; reader: Reader }) {
  const dayOf = ({ occurred_at }: AuditEventOutput) => occurred_at.slice(0, 10)
  const days = [...new Set(events.map(dayOf))]
  return days.map((day) => (
    <section key={day} aria-labelledby={`day-${day}`} className="mt-9">
      <h2
        id={`day-${day}`}
        className="flex items-baseline justify-between border-b border-edge px-2 pb-2 text-base"
      >
        <Time at={`${day}T00:00:00.000Z`} dateOnly />
        <span className="font-sans text-xs font-normal tracking-normal text-soft">UTC</span>
      </h2>
      <ol>
        {events
          .filter((event) => dayOf(event) === day)
          .map((event) => (
            <EventItem key={event.event_id} event={event} reader={reader} />
          ))}
      </ol>
    </section>
  ))
}

function Pages({ filter, next }: { filter: Filter; next: string | null }) {
  if (filter.cursor === '' && next === null) return null
  const at = (cursor: string) => {
    const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== '')
    return given.length === 0 ? '/audit' : `/audit?${new URLSearchParams(given)}`
  }
  return (
    <nav aria-label="More events" className="mt-7 flex flex-wrap gap-3">
      {filter.cursor === '' ? null : <ButtonLink href={at('')}>Newest</ButtonLink>}
      {next === null ? null : <ButtonLink href={at(next)}>Older</ButtonLink>}
    </nav>
  )
}

/** Downloads: no pages for the router to fetch. */
function Downloads() {
  return (
    <section aria-labelledby="keep" className="mt-14 border-t border-line pt-8">
      <h2 id="keep" className="text-lg">
        Keep it
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">
        The JSON holds the whole log with its signed end. Check it without us, today or in ten years:{' '}
        <code className="wrap-anywhere text-ink">npm run audit:verify -- beak-audit.json</code>. The table is
        for spreadsheets.
      </p>
      <p className="mt-5 flex flex-wrap gap-3">
        <a href={withBasePath('/api/audit/export')} className={buttonClass()}>
          Download as JSON
        </a>
        <a href={withBasePath('/api/audit/export?format=csv')} className={buttonClass()}>
          Download as CSV
        </a>
      </p>
      <p className="mt-5 text-sm text-soft">
        Everything else we hold about you is under{' '}
        <Link href="/account" className="underline">
          Account
        </Link>
        .
      </p>
    </section>
  )
}
