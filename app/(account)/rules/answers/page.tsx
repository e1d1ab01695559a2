import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { Empty, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { Pager } from '../../pecks/_list/pager'
import { AnswerList } from '../_rule/answer-list'

export const generateMetadata = (): Metadata => ({
  title: m.rules_answered_for_you(),
  robots: { index: false },
})

const path = '/rules/answers'

/** Everything that rules answered for the viewer, newest first. */
export default withProblemPage(async function AnswersPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  await requireViewer(path)
  const cursor = String((await searchParams).cursor ?? '')
  const [{ items, next_cursor: next }, { items: rules }] = await Promise.all([
    read('GET /beak/rule/answers', { query: { cursor, limit: '50' } }),
    read('GET /beak/rule/list', { query: { limit: '100' } }),
  ])
  return (
    <>
      <BackLink href="/allowed#rules">{m.rooms_allowed()}</BackLink>
      <PageHead title={m.rules_answered_for_you()} lead={m.rules_answered_lead()} />
      <Announcements>
        {items.length === 0 ? (
          <Empty title={m.rules_no_answers_yet()}>{m.rules_no_answers_yet_text()}</Empty>
        ) : (
          <AnswerList answers={items} rules={rules} label={m.rules_answered_for_you()} now={readClock()} />
        )}
      </Announcements>
      <Pager here={path} cursor={cursor} next={next} />
    </>
  )
})
