import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Button, ButtonLink } from '@/components/ui/button'
import { SelectField } from '@/components/ui/form'
import { Empty } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { peckStatuses } from '@/lib/domain/pecks/state'
import { readClock } from '@/lib/kernel/clock'
import { Pager, PecksHead } from '../head'
import { readPecks } from '../reads'
import { PeckRow } from '../row'

export const metadata: Metadata = { title: 'History of pecks', robots: { index: false } }

const directions = ['received', 'sent'] as const

/** One of the values, or nothing: an address typed by hand filters by nothing. */
function oneOf<T extends string>(values: readonly T[], given: unknown): T | undefined {
  return values.find((value) => value === given)
}

/** All pecks there ever were, both ways, by status and direction. */
export default withProblemPage(async function HistoryPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const viewer = await requireViewer('/pecks/history')
  const given = await searchParams
  const status = oneOf(peckStatuses, given.status)
  const direction = oneOf(directions, given.direction)
  const cursor = String(given.cursor ?? '')
  const { items, next } = await readPecks({ status, direction, cursor })
  const now = readClock()
  const isFiltered = status !== undefined || direction !== undefined
  const filters = new URLSearchParams({ ...(status ? { status } : {}), ...(direction ? { direction } : {}) })
  return (
    <>
      <PecksHead here="/pecks/history" />
      <form className="mb-6 flex flex-wrap items-end gap-4" aria-label="Filter">
        <SelectField label="Status" name="status" defaultValue={status ?? ''}>
          <option value="">Any</option>
          <option value="pending">Waiting</option>
          <option value="approved">Approved</option>
          <option value="rejected">Rejected</option>
          <option value="expired">Not answered</option>
          <option value="cancelled">Taken back</option>
        </SelectField>
        <SelectField label="Direction" name="direction" defaultValue={direction ?? ''}>
          <option value="">Both ways</option>
          <option value="received">Asked of me</option>
          <option value="sent">Asked by me or my agents</option>
        </SelectField>
        <Button type="submit">Show</Button>
        {isFiltered ? (
          <ButtonLink href="/pecks/history" kind="quiet">
            Show all
          </ButtonLink>
        ) : null}
      </form>
      {items.length === 0 ? (
        <Empty title={isFiltered ? 'No such pecks' : 'No pecks yet'}>
          {isFiltered
            ? 'Show all, or choose something else.'
            : 'Every request, both ways, stays on record here.'}
        </Empty>
      ) : (
        <ul aria-label="Pecks">
          {items.map(({ peck, details }) => (
            <PeckRow key={peck.peck_id} peck={peck} viewerId={viewer.duckling_id}>
              <Time at={peck.decided_at ?? peck.created_at} now={now} />
              {details.signed ? ', signed by passkey' : ''}
              {peck.reason ? <Reason text={peck.reason} /> : null}
            </PeckRow>
          ))}
        </ul>
      )}
      <Pager here={`/pecks/history${isFiltered ? `?${filters}` : ''}`} cursor={cursor} next={next} />
    </>
  )
})

function Reason({ text }: { text: string }) {
  return (
    <span className="wrap-anywhere">
      : <bdi>“{text}”</bdi>
    </span>
  )
}
