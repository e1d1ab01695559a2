import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { Link } from '@/components/ui/link'
import { Empty } from '@/components/ui/surface'
import { readClock } from '@/lib/kernel/clock'
import { readAskerChoices } from '../_list/asker-choices'
import { filteredPath, filterIn } from '../_list/filter'
import { FilterForm } from '../_list/filter-form'
import { Pager } from '../_list/pager'
import { PecksHead } from '../_list/pecks-head'
import { readPecks } from '../_peck/reads'
import { AskerGroup } from './asker-group'
import { groupByAsker } from './group-by-asker'

export const metadata: Metadata = { title: 'Active permissions', robots: { index: false } }

const path = '/pecks/grants'

/** The active permissions that the viewer gave, by asker, with buttons to revoke one or all of an asker. */
export default withProblemPage(async function PermissionsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}) {
  const viewer = await requireViewer(path)
  const given = await searchParams
  const { asker, action } = filterIn(given)
  const filter = { asker, action, status: undefined, grant_status: undefined, direction: undefined }
  const cursor = String(given.cursor ?? '')
  const [{ items, next }, choices] = await Promise.all([
    readPecks({ asker, action, grant_status: 'active', direction: 'received', cursor, limit: '100' }),
    readAskerChoices(false),
  ])
  const here = filteredPath(path, filter)
  // With an action, on a later page, or with a further page, an asker may have more permissions than the group shows.
  const isWhole = action === undefined && cursor === '' && next === null
  const now = readClock()
  return (
    <>
      <PecksHead here={path} />
      <FilterForm path={path} label="Filter permissions" filter={filter} choices={choices} />
      <Announcements>
        {items.length === 0 ? <NoPermissions isFiltered={here !== path} /> : null}
        {groupByAsker(items).map((group) => (
          <AskerGroup
            key={group.asker}
            {...group}
            isWhole={isWhole}
            isAlone={asker !== undefined}
            viewerId={viewer.duckling_id}
            now={now}
          />
        ))}
      </Announcements>
      <Pager here={here} cursor={cursor} next={next} />
      <p className="mt-8 text-sm">
        <Link
          href={filteredPath('/pecks/history', { asker, action, status: 'approved', direction: 'received' })}
          className="inline-flex min-h-11 items-center underline"
        >
          Used, expired and revoked permissions
        </Link>
      </p>
    </>
  )
})

function NoPermissions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching permissions">Change or clear the filters.</Empty>
  return (
    <Empty title="No active permissions">
      When you approve a request, its permission appears here. You can revoke it at any time.
    </Empty>
  )
}
