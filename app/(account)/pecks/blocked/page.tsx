import type { Metadata } from 'next'
import { api } from '@/app/_web/api'
import { PageProblem } from '@/app/_web/page-problem'
import { requireViewer } from '@/app/_web/viewer'
import { Duck } from '@/components/duck'
import { withProblemPage } from '@/components/problem-page'
import { AnnouncedForm, Announcements } from '@/components/ui/announcements'
import { SubmitButton } from '@/components/ui/form'
import { Empty, Pill } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { readClock } from '@/lib/kernel/clock'
import { unblockDuckling } from '../actions'
import { Pager, PecksHead } from '../head'

export const metadata: Metadata = { title: 'Blocked', robots: { index: false } }

/** Whose pecks do not reach the viewer. */
export default withProblemPage(async function BlockedPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  await requireViewer('/pecks/blocked')
  const cursor = String((await searchParams).cursor ?? '')
  const result = await api('GET /beak/peck/blocks', { query: { cursor: cursor || undefined } })
  if (!result.ok) throw new PageProblem(result.problem)
  const { items, next_cursor: next } = result.data
  const now = readClock()
  return (
    <>
      <PecksHead here="/pecks/blocked" />
      <Announcements>
        {items.length === 0 ? (
          <Empty title="Nobody is blocked">
            You can block somebody as you reject what they ask. They are not told: to them, you just do not
            answer.
          </Empty>
        ) : (
          <>
            <p className="mb-2 max-w-2xl text-sm text-soft">
              What they and their agents ask does not reach you. They are not told.
            </p>
            <ul aria-label="Blocked">
              {items.map(({ duckling_id: id, display_name: name, trust_tier: tier, blocked_at: at }) => (
                <li
                  key={id}
                  className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-5 first:border-t-0"
                >
                  <div className="flex min-w-0 items-center gap-4">
                    <Duck id={id} size={44} />
                    <div className="min-w-0">
                      <p className="flex flex-wrap items-center gap-3 font-semibold wrap-anywhere">
                        {name} <Pill>{tier}</Pill>
                      </p>
                      <p className="mt-0.5 text-sm text-soft">
                        Blocked <Time at={at} now={now} />
                      </p>
                    </div>
                  </div>
                  <AnnouncedForm action={unblockDuckling} label={`Unblock ${name}`}>
                    <input type="hidden" name="duckling_id" value={id} />
                    <SubmitButton kind="plain">Unblock</SubmitButton>
                  </AnnouncedForm>
                </li>
              ))}
            </ul>
          </>
        )}
      </Announcements>
      <Pager here="/pecks/blocked" cursor={cursor} next={next} />
    </>
  )
})
