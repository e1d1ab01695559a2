import type { Metadata } from 'next'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { readClock } from '@/lib/kernel/clock'
import { EmptyInbox } from './_inbox/empty-inbox'
import { Inbox } from './_inbox/inbox'
import { RequestCard } from './_inbox/request-card'
import { Pager } from './_list/pager'
import { PecksHead } from './_list/pecks-head'
import { readPending } from './_peck/reads'
import { announcement } from './_peck/words'

interface PecksProps {
  searchParams: Promise<{ cursor?: string | string[] }>
}

const pageSize = 20
const cursorIn = async ({ searchParams }: PecksProps) => String((await searchParams).cursor ?? '')

export const generateMetadata = withProblemTitle(async function generateMetadata(
  props: PecksProps,
): Promise<Metadata> {
  await requireViewer('/pecks')
  const { items, next } = await readPending(await cursorIn(props), pageSize)
  const count = next === null ? String(items.length) : `${items.length}+`
  return { title: items.length === 0 ? 'Pecks' : `(${count}) Pecks`, robots: { index: false } }
})

/** The inbox: pending requests to the viewer, updated live. */
export default withProblemPage(async function InboxPage(props: PecksProps) {
  const viewer = await requireViewer('/pecks')
  const cursor = await cursorIn(props)
  const { items, next } = await readPending(cursor, pageSize)
  const now = readClock()
  const hasPasskey = items.length > 0 && (await viewerHasPasskey())
  return (
    <>
      <PecksHead here="/pecks" />
      <Inbox
        key={cursor}
        label="Pending requests"
        ducklingId={viewer.duckling_id}
        isWhole={next === null}
        empty={<EmptyInbox ducklingId={viewer.duckling_id} />}
        items={items.map((request) => ({
          id: request.peck.peck_id,
          announcement: announcement(request.peck),
          card: <RequestCard {...request} viewer={viewer} hasPasskey={hasPasskey} now={now} />,
        }))}
      />
      <Pager here="/pecks" cursor={cursor} next={next} />
    </>
  )
})
