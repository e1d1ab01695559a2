import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { Empty } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { Pager, PecksHead } from '../head'
import { readPecks } from '../reads'
import { Revoke } from '../revoke'
import { PeckRow } from '../row'
import { usesWords } from '../words'

export const metadata: Metadata = { title: 'Permissions that hold', robots: { index: false } }

/** What the viewer has allowed and what still holds, each to be revoked. */
export default withProblemPage(async function GrantsPage({
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
          <Empty title="No permission of yours holds">
            What you approve is listed here for as long as it can be used, and you can take it back.
          </Empty>
        ) : (
          <ul aria-label="Permissions that hold">
            {items.map(({ peck, details }) => (
              <PeckRow
                key={peck.peck_id}
                peck={peck}
                viewerId={viewer.duckling_id}
                actions={<Revoke peck={peck} />}
              >
                {peck.grant_expires_at === null ? (
                  'Until you revoke it. '
                ) : (
                  <>
                    Ends <Time at={peck.grant_expires_at} now={now} />.{' '}
                  </>
                )}
                {usesWords(peck.uses)}
                {peck.max_uses === null ? '' : ', good for one use'}.
                {details.signed ? ' Signed by your passkey.' : ''}
              </PeckRow>
            ))}
          </ul>
        )}
      </Announcements>
      <Pager here="/pecks/grants" cursor={cursor} next={next} />
    </>
  )
})
