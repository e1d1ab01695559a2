import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { Empty } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { RevokeForm } from '../_forms/revoke-form'
import { Pager } from '../_list/pager'
import { PeckRow } from '../_list/peck-row'
import { PecksHead } from '../_list/pecks-head'
import { readPecks } from '../_peck/reads'
import { usesAndLimit } from '../_peck/words'

export const metadata: Metadata = { title: 'Active permissions', robots: { index: false } }

/** The active permissions that the viewer gave, each with a button to revoke it. */
export default withProblemPage(async function PermissionsPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  const viewer = await requireViewer('/pecks/grants')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next } = await readPecks({ grant_status: 'active', direction: 'received', cursor })
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/grants" />
      <Announcements>
        {items.length === 0 ? (
          <Empty title="No active permissions">
            When you approve a request, its permission appears here. You can revoke it at any time.
          </Empty>
        ) : (
          <ul aria-label="Active permissions">
            {items.map(({ peck, details }) => (
              <PeckRow
                key={peck.peck_id}
                peck={peck}
                viewerId={viewer.duckling_id}
                actions={<RevokeForm peck={peck} />}
              >
                {peck.grant_expires_at === null ? (
                  'Valid until you revoke it. '
                ) : (
                  <>
                    Expires <Time at={peck.grant_expires_at} now={now} />.{' '}
                  </>
                )}
                {usesAndLimit(peck)}.{details.signed ? ' Signed with your passkey.' : ''}
              </PeckRow>
            ))}
          </ul>
        )}
      </Announcements>
      <Pager here="/pecks/grants" cursor={cursor} next={next} />
    </>
  )
})
