import type { Metadata } from 'next'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage } from '@/components/problem-page'
import { Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { Empty } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { Cancel } from '../cancel'
import { Pager, PecksHead } from '../head'
import { Live } from '../live'
import { readPecks } from '../reads'
import { PeckRow } from '../row'

export const metadata: Metadata = { title: 'Pecks you sent', robots: { index: false } }

/** What the viewer and their agents have asked of others. */
export default withProblemPage(async function SentPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  const viewer = await requireViewer('/pecks/sent')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next } = await readPecks({ direction: 'sent', cursor })
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/sent" />
      <Announcements>
        <Live ducklingId={viewer.duckling_id} />
        {items.length === 0 ? (
          <div className="mt-4">
            <Empty
              title="You have asked for nothing yet"
              action={<ButtonLink href="/pecks/new">Ask somebody</ButtonLink>}
            >
              What you and your agents ask of others is listed here, with the answers.
            </Empty>
          </div>
        ) : (
          <ul aria-label="Pecks you sent">
            {items.map(({ peck }) => (
              <PeckRow
                key={peck.peck_id}
                peck={peck}
                viewerId={viewer.duckling_id}
                actions={peck.status === 'pending' ? <Cancel peck={peck} /> : undefined}
              >
                Asked <Time at={peck.created_at} now={now} />
                {peck.status === 'pending' ? (
                  <>
                    , can be answered until <Time at={peck.expires_at} />
                  </>
                ) : null}
              </PeckRow>
            ))}
          </ul>
        )}
      </Announcements>
      <Pager here="/pecks/sent" cursor={cursor} next={next} />
    </>
  )
})
