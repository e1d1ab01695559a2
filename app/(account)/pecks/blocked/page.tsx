import { isolated, personMark, personName } from '@beak/decision/person-name'
import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { Empty, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { UnblockForm } from '../_forms/unblock-form'
import { Pager } from '../_list/pager'
import { PecksHead } from '../_list/pecks-head'

export const generateMetadata = (): Metadata => ({
  title: m.blocked_blocked_people(),
  robots: { index: false },
})

/** The people that the viewer has blocked. */
export default withProblemPage(async function BlockedPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  await requireViewer('/pecks/blocked')
  const cursor = String((await searchParams).cursor ?? '')
  const { items, next_cursor: next } = await read('GET /beak/peck/blocks', { query: { cursor } })
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/blocked" />
      <Announcements>
        {items.length === 0 ? (
          <Empty title={m.blocked_nobody_is_blocked()}>{m.blocked_list_empty_hint()}</Empty>
        ) : (
          <>
            <p className="mb-2 max-w-2xl text-sm text-soft">{m.blocked_page_intro()}</p>
            <ul aria-label={m.blocked_blocked_people()}>
              {items.map((blocked) => (
                <BlockedPerson key={blocked.duckling_id} blocked={blocked} now={now} />
              ))}
            </ul>
          </>
        )}
      </Announcements>
      <Pager here="/pecks/blocked" cursor={cursor} next={next} />
    </>
  )
})

type Blocked = ResponseOf<'GET /beak/peck/blocks'>['items'][number]

function BlockedPerson({ blocked, now }: { blocked: Blocked; now: Date }) {
  const { duckling_id: id, trust_tier: tier, blocked_at: at } = blocked
  const name = isolated(personName(blocked))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-5 first:border-t-0">
      <div className="flex min-w-0 items-center gap-4">
        <Duck id={id} size={44} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-3 font-semibold wrap-anywhere">
            <bdi translate="no">{name}</bdi> <Pill>{tierLabel(tier)}</Pill>
          </p>
          <p className="mt-0.5 text-sm text-soft">
            <Sentence
              of={m.blocked_blocked}
              with={{ mark: personMark(blocked.handle, id) }}
              parts={{ time: () => <Time at={at} now={now} /> }}
            />
          </p>
        </div>
      </div>
      <UnblockForm ducklingId={id} name={name} />
    </li>
  )
}
