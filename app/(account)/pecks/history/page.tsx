import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Button, ButtonLink } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { Empty } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { Pager } from '../_list/pager'
import { PeckRow } from '../_list/peck-row'
import { PecksHead } from '../_list/pecks-head'
import { type Peck, type PeckWithDetails, readPecks } from '../_peck/reads'
import { statusLabels } from '../_peck/words'

export const metadata: Metadata = { title: 'Request history', robots: { index: false } }

const path = '/pecks/history'
const statuses = Object.keys(statusLabels) as Peck['status'][]
const directions = ['received', 'sent'] as const

interface Filter {
  status: Peck['status'] | undefined
  direction: (typeof directions)[number] | undefined
}

/** Returns the value if it is one of the allowed values. An unknown value in the address means no filter. */
function oneOf<T extends string>(values: readonly T[], given: unknown): T | undefined {
  return values.find((value) => value === given)
}

/** All requests that the viewer sent or received, by status and direction. */
export default withProblemPage(async function HistoryPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const viewer = await requireViewer(path)
  const given = await searchParams
  const filter: Filter = {
    status: oneOf(statuses, given.status),
    direction: oneOf(directions, given.direction),
  }
  const cursor = String(given.cursor ?? '')
  const { items, next } = await readPecks({ ...filter, cursor })
  const query = Object.entries(filter).filter(([, value]) => value !== undefined)
  const isFiltered = query.length > 0
  return (
    <>
      <PecksHead here={path} />
      <FilterForm filter={filter} isFiltered={isFiltered} />
      {items.length === 0 ? (
        <NoRequests isFiltered={isFiltered} />
      ) : (
        <HistoryList items={items} viewerId={viewer.duckling_id} />
      )}
      <Pager here={isFiltered ? `${path}?${new URLSearchParams(query)}` : path} cursor={cursor} next={next} />
    </>
  )
})

function FilterForm({ filter, isFiltered }: { filter: Filter; isFiltered: boolean }) {
  return (
    <form className="mb-6 flex flex-wrap items-end gap-4" aria-label="Filter requests">
      <SelectField label="Status" name="status" defaultValue={filter.status ?? ''}>
        <option value="">Any</option>
        {statuses.map((status) => (
          <option key={status} value={status}>
            {statusLabels[status]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Direction" name="direction" defaultValue={filter.direction ?? ''}>
        <option value="">Sent and received</option>
        <option value="received">Received</option>
        <option value="sent">Sent by me or my agents</option>
      </SelectField>
      <Button type="submit">Apply</Button>
      {isFiltered ? (
        <ButtonLink href={path} kind="quiet">
          Clear filters
        </ButtonLink>
      ) : null}
    </form>
  )
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching requests">Change or clear the filters.</Empty>
  return <Empty title="No requests yet">Every request you send or receive stays on record here.</Empty>
}

function HistoryList({ items, viewerId }: { items: PeckWithDetails[]; viewerId: string }) {
  const now = readClock()
  return (
    <ul aria-label="Requests">
      {items.map(({ peck, details }) => (
        <PeckRow key={peck.peck_id} peck={peck} viewerId={viewerId}>
          <Time at={peck.decided_at ?? peck.created_at} now={now} />
          {details.signed ? ', signed with a passkey' : ''}
          {peck.reason ? <Reason text={peck.reason} /> : null}
        </PeckRow>
      ))}
    </ul>
  )
}

function Reason({ text }: { text: string }) {
  return (
    <span className="wrap-anywhere">
      . Reason: <bdi>“{text}”</bdi>
    </span>
  )
}
