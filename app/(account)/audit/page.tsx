import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { api } from '@/app/_web/api'
import { read } from '@/app/_web/read'
import { requireViewer } from '@/app/_web/viewer'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { LogCheck } from './_check/log-check'
import { EventDays } from './_events/event-days'
import { ContinuedLogNotice } from './continued-log-notice'
import { Downloads } from './downloads'
import { FilterForm, filterIn, NoEvents, Pages } from './filter'
import { LogPanel, panelProofOf } from './log-panel'

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
      <PageHead title={m.audit_activity()} lead={m.audit_your_audit_log_everything_that_happened()} />
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
