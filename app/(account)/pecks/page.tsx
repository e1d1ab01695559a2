import type { Metadata } from 'next'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { readClock } from '@/lib/kernel/clock'
import { Pager, PecksHead } from './head'
import { Inbox } from './inbox'
import { readWaiting } from './reads'
import { RequestCard } from './request-card'

interface PecksProps {
  searchParams: Promise<{ cursor?: string | string[] }>
}

const pageSize = 20
const cursorIn = async ({ searchParams }: PecksProps) => String((await searchParams).cursor ?? '')

export const generateMetadata = withProblemTitle(async function generateMetadata(
  props: PecksProps,
): Promise<Metadata> {
  await requireViewer('/pecks')
  const { items, next } = await readWaiting(await cursorIn(props), pageSize)
  const count = next === null ? String(items.length) : `${items.length}+`
  return { title: items.length === 0 ? 'Pecks' : `(${count}) Pecks`, robots: { index: false } }
})

/** The requests that wait for an answer, live. */
export default withProblemPage(async function PecksPage(props: PecksProps) {
  const viewer = await requireViewer('/pecks')
  const cursor = await cursorIn(props)
  const { items, next } = await readWaiting(cursor, pageSize)
  const now = readClock()
  const withPasskey = items.length > 0 && (await viewerHasPasskey())
  return (
    <>
      <PecksHead here="/pecks" />
      <Inbox
        key={cursor}
        label="Requests that wait for you"
        ducklingId={viewer.duckling_id}
        isWhole={next === null}
        empty={<Nothing ducklingId={viewer.duckling_id} />}
        items={items.map((request) => ({
          id: request.peck.peck_id,
          summary: request.peck.summary,
          card: <RequestCard {...request} viewer={viewer} hasPasskey={withPasskey} now={now} />,
        }))}
      />
      <Pager here="/pecks" cursor={cursor} next={next} />
    </>
  )
})

function Nothing({ ducklingId }: { ducklingId: string }) {
  return (
    <div className="grid justify-items-center py-14 text-center">
      <Duck id={ducklingId} size={96} />
      <h2 className="mt-6">Nothing waits for you</h2>
      <p className="mt-2 max-w-md text-soft">
        When somebody, or one of their agents, asks you for something, it appears here by itself.
      </p>
    </div>
  )
}
