import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { Link } from '@/components/ui/link'
import { Empty } from '@/components/ui/surface'
import { WordHelp } from '@/components/ui/word-help'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { LivingRules } from '../../rules/_rule/rule-row'
import { filteredPath, filterIn, readAskerChoices } from '../_list/filter'
import { FilterForm } from '../_list/filter-form'
import { Pager } from '../_list/pager'
import { PecksHead } from '../_list/pecks-head'
import { LiveStatus } from '../_live/live-status'
import { readPecks } from '../_peck/reads'
import { AskerGroup, groupByAsker } from './asker-group'

export const generateMetadata = (): Metadata => ({
  title: m.permissions_what_my_agents_may_do_now(),
  robots: { index: false },
})

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
      <PecksHead here={path} title={m.permissions_what_my_agents_may_do_now()} lead={m.permissions_lead()} />
      <div className="mb-2 flex flex-wrap items-start justify-between gap-x-6">
        <WordHelp words={['permission', 'standing']} />
        <LiveStatus ducklingId={viewer.duckling_id} />
      </div>
      {here === path && cursor === '' ? <LivingRules viewerId={viewer.duckling_id} now={now} /> : null}
      <FilterForm path={path} label={m.permissions_filter_permissions()} filter={filter} choices={choices} />
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
          {m.permissions_used_expired_and_revoked_permissions()}
        </Link>
      </p>
    </>
  )
})

function NoPermissions({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title={m.permissions_no_matching_permissions()}>
        {m.permissions_change_or_clear_the_filters()}
      </Empty>
    )
  return <Empty title={m.permissions_no_active_permissions()}>{m.permissions_empty_hint()}</Empty>
}
