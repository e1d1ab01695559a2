import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { withBasePath } from '@/components/base-path'
import { CheckItYourself } from '@/components/check-it-yourself'
import { Sentence } from '@/components/sentence'
import { Button, ButtonLink, buttonClass } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { Link } from '@/components/ui/link'
import { Empty, PageHead } from '@/components/ui/surface'
import { eventGroups, eventKinds } from '@/lib/infrastructure/events/kinds'
import { m } from '@/lib/kernel/messages'
import { LogCheck } from './_check/log-check'
import { EventDays } from './_events/event-days'
import { ContinuedLogNotice } from './continued-log-notice'
import { LogPanel, panelProofOf } from './log-panel'

export interface Filter {
  action: string
  outcome: '' | 'denied'
  cursor: string
}

/** Returns the filter in the address. An unknown event type or outcome means no filter, because addresses get cut and mistyped. */
function filterIn(given: Record<string, string | string[] | undefined>): Filter {
  // A parameter that is given twice becomes a text that the API rejects.
  const text = (name: string) => String(given[name] ?? '')
  return {
    action: Object.hasOwn(eventKinds, text('action')) ? text('action') : '',
    outcome: text('outcome') === 'denied' ? 'denied' : '',
    cursor: text('cursor'),
  }
}

function FilterForm({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <form
      key={`${action} ${outcome}`}
      action={withBasePath('/audit')}
      aria-label={m.audit_filter_events()}
      className="mt-10 flex flex-wrap items-end gap-4 border-t border-line pt-7"
    >
      <div className="w-full sm:w-64">
        <SelectField label={m.audit_event()} name="action" defaultValue={action}>
          <option value="">{m.audit_all_events()}</option>
          <KindOptions />
        </SelectField>
      </div>
      <div className="w-full sm:w-56">
        <SelectField label={m.audit_outcome()} name="outcome" defaultValue={outcome}>
          <option value="">{m.audit_any()}</option>
          <option value="denied">{m.audit_refused_only()}</option>
        </SelectField>
      </div>
      <Button type="submit">{m.audit_apply()}</Button>
      {action || outcome ? (
        <ButtonLink kind="quiet" href="/audit">
          {m.audit_clear_filters()}
        </ButtonLink>
      ) : null}
    </form>
  )
}

function KindOptions() {
  return eventGroups.map(({ name, label, kinds }) => (
    <optgroup key={name} label={label()}>
      {kinds.map((kind) => (
        <option key={kind} value={kind}>
          {eventKinds[kind].label()}
        </option>
      ))}
    </optgroup>
  ))
}

function NoEvents({ filter: { action, outcome } }: { filter: Filter }) {
  return (
    <div className="mt-8">
      <Empty
        title={outcome ? m.audit_no_refused_events() : m.audit_no_events_of_this_type()}
        action={<ButtonLink href="/audit">{m.audit_clear_filters()}</ButtonLink>}
      >
        {action
          ? m.audit_choose_another_event_or_clear_filters()
          : m.audit_nothing_was_refused_on_your_account()}
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

/** Plain links: the router must not prefetch a download. */
function Downloads() {
  return (
    <section aria-labelledby="download" className="mt-14 border-t border-line pt-8">
      <h2 id="download" className="text-lg">
        {m.audit_download()}
      </h2>
      <p className="mt-2 max-w-2xl text-sm text-soft">{m.audit_download_formats_hint()}</p>
      <p className="mt-5 flex flex-wrap gap-3">
        <a href={withBasePath('/api/audit/export')} className={buttonClass()}>
          {m.audit_download_as_json()}
        </a>
        <a href={withBasePath('/api/audit/export?format=csv')} className={buttonClass()}>
          {m.audit_download_as_csv()}
        </a>
      </p>
      <div className="mt-5">
        <CheckItYourself kind="log" subject="beak-audit.json" />
      </div>
      <p className="mt-5 text-sm text-soft">
        <Sentence
          of={m.audit_export_elsewhere_note}
          parts={{
            link: (children) => (
              <Link href="/account" className="underline">
                {children}
              </Link>
            ),
          }}
        />
      </p>
    </section>
  )
}

export const generateMetadata = (): Metadata => ({ title: m.audit_activity(), robots: { index: false } })

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default withProblemPage(async function AuditPage({ searchParams }: PageProps) {
  const viewer = await requireViewer('/audit')
  const filter = filterIn(await searchParams)
  const [{ items, next_cursor, names = {} }, proof] = await Promise.all([
    read('GET /beak/audit', {
      query: { ...filter, outcome: filter.outcome || undefined, limit: '50', names: 'true' },
    }),
    api('GET /beak/audit/proof', { query: { entries: 'true' } }),
  ])
  return (
    <>
      <PageHead title={m.audit_activity()} lead={m.audit_page_intro()} />
      {proof.ok && proof.data.continues ? <ContinuedLogNotice continued={proof.data.continues} /> : null}
      <LogCheck ducklingId={viewer.duckling_id} />
      <FilterForm filter={filter} />
      {items.length === 0 ? (
        <NoEvents filter={filter} />
      ) : (
        <EventDays events={items} reader={{ id: viewer.duckling_id, names }} />
      )}
      <Pages filter={filter} next={next_cursor} />
      <LogPanel proof={panelProofOf(proof)} />
      <Downloads />
    </>
  )
})
