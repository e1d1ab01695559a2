import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Empty } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { filteredPath, filterIn, readAskerChoices } from '../_list/filter'
import { FilterForm } from '../_list/filter-form'
import { Pager } from '../_list/pager'
import { PeckRow } from '../_list/peck-row'
import { PecksHead } from '../_list/pecks-head'
import { readPecks } from '../_peck/reads'

export const generateMetadata = (): Metadata => ({ title: m.history_history(), robots: { index: false } })

const path = '/pecks/history'

/** The requests that are over, sent and received, and the state of their permissions. */
export default withProblemPage(async function HistoryPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const viewer = await requireViewer(path)
  const given = await searchParams
  const filter = filterIn(given)
  const cursor = String(given.cursor ?? '')
  const [{ items, next }, choices] = await Promise.all([
    readPecks({ ...filter, status: filter.status ?? 'over', cursor }),
    readAskerChoices(true),
  ])
  const now = readClock()
  const here = filteredPath(path, filter)
  const actions = new Set([...choices.actions, ...items.map(({ peck }) => peck.action)])
  return (
    <>
      <PecksHead here={path} />
      <FilterForm
        path={path}
        label={m.history_filter_requests()}
        filter={filter}
        choices={{ ...choices, actions: [...actions].sort() }}
        isHistory
      />
      {items.length === 0 ? (
        <NoRequests isFiltered={here !== path} />
      ) : (
        <ul aria-label={m.history_requests()}>
          {items.map((request) => (
            <PeckRow key={request.peck.peck_id} {...request} viewerId={viewer.duckling_id} now={now} />
          ))}
        </ul>
      )}
      <Pager here={here} cursor={cursor} next={next} />
    </>
  )
})

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <Empty title={m.history_no_matching_requests()}>{m.history_change_or_clear_the_filters()}</Empty>
  return <Empty title={m.history_nothing_here_yet()}>{m.history_page_intro()}</Empty>
}
