import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { filteredPath, readAskerChoices } from '../pecks/_list/filter'
import { FilterForm } from '../pecks/_list/filter-form'
import { Pager } from '../pecks/_list/pager'
import { LiveStatus } from '../pecks/_live/live-status'
import type { ShownPeck } from '../pecks/_peck/reads'
import { AskerGroup, groupByAsker } from './asker-group'

interface PermissionsSectionProps {
  items: ShownPeck[]
  next: string | null
  filter: { asker: string | undefined; action: string | undefined; cursor: string }
  /** The viewer's agents that are suspended: their permissions do not work until they are resumed. */
  suspended: Set<string>
  viewerId: string
  now: Date
}

/** With so few permissions, a filter would be longer than the list. */
const filteredFrom = 9

/** The active permissions that the viewer gave, by asker, with buttons to revoke one or all of an asker. */
export async function PermissionsSection({
  items,
  next,
  filter,
  suspended,
  viewerId,
  now,
}: PermissionsSectionProps) {
  const { asker, action, cursor } = filter
  const isFiltered = asker !== undefined || action !== undefined
  // With an action, on a later page, or with a further page, an asker may have more permissions than the group shows.
  const isWhole = action === undefined && cursor === '' && next === null
  const choices =
    isFiltered || next !== null || items.length >= filteredFrom ? await readAskerChoices(false) : null
  return (
    <Section id="permissions" title={m.allowed_permissions()} lead={m.permissions_lead()}>
      <LiveStatus ducklingId={viewerId} />
      {choices === null ? null : (
        <FilterForm
          path="/allowed"
          label={m.permissions_filter_permissions()}
          filter={{ asker, action, status: undefined, grant_status: undefined, direction: undefined }}
          choices={choices}
        />
      )}
      {items.length === 0 ? (
        <p className="text-soft">
          {isFiltered ? m.permissions_no_matching_permissions() : m.permissions_none_now()}
        </p>
      ) : null}
      {groupByAsker(items).map((group) => (
        <AskerGroup
          key={group.asker}
          {...group}
          isWhole={isWhole}
          isAlone={asker !== undefined}
          isSuspended={suspended.has(group.asker)}
          viewerId={viewerId}
          now={now}
        />
      ))}
      <Pager
        here={filteredPath('/allowed', { asker, action })}
        name="permissions"
        cursor={cursor}
        next={next}
      />
      <p className="mt-4 text-sm">
        <Link
          href={filteredPath('/pecks/history', { asker, action, status: 'approved', direction: 'received' })}
          className="inline-flex min-h-11 items-center underline"
        >
          {m.permissions_used_expired_and_revoked_permissions()}
        </Link>
      </p>
    </Section>
  )
}
