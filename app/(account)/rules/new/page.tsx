import type { Metadata } from 'next'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound, find, read } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { withDetails } from '../../pecks/_peck/reads'
import { draftIn, draftInAddress, type Query } from '../_rule/draft'
import { Editor } from '../_rule/editor'
import { FromRequest } from '../_rule/from-request'
import { readSubjects } from '../_rule/reads'

export const generateMetadata = (): Metadata => ({ title: m.rules_new(), robots: { index: false } })

/** A new rule: filled from a request (`peck`), or from scratch. */
export default withProblemPage(async function NewRulePage({
  searchParams,
}: {
  searchParams: Promise<Query>
}) {
  const query = await searchParams
  const peck = typeof query.peck === 'string' ? query.peck : null
  const rule = typeof query.rule === 'string' ? query.rule : null
  const kept = Object.entries({ peck, rule }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  const viewer = await requireViewer(['/rules/new', ...kept.slice(0, 1)].join('?'))
  const [hasPasskey, now] = [await viewerHasPasskey(), readClock()]
  if (peck !== null) {
    const asked = await find('GET /beak/peck/status', { query: { peck_id: peck } })
    const [found] = asked === null ? [] : await withDetails([asked])
    if (found === undefined || found.peck.target_duckling_id !== viewer.duckling_id) {
      answerNotFound()
      return <MissingPage kind="request" viewer={viewer} />
    }
    return (
      <FromRequest
        viewerId={viewer.duckling_id}
        found={found}
        steps={String(query.steps ?? '')}
        hasPasskey={hasPasskey}
        now={now}
      />
    )
  }
  const [subjects, { items: askers }] = await Promise.all([
    readSubjects(viewer.duckling_id),
    read('GET /beak/peck/askers'),
  ])
  const actions = [...new Set(askers.flatMap((asker) => asker.actions.map(({ action }) => action)))].sort()
  const draft = (rule === null ? null : draftInAddress(rule)) ?? draftIn(query)
  return (
    <>
      <BackLink href="/rules">{m.rules_always_allowed()}</BackLink>
      <PageHead title={m.rules_new()} lead={m.rules_new_lead()} />
      <Editor
        path="/rules/new"
        draft={draft.who === '' ? { ...draft, who: subjects[0]?.id ?? '' } : draft}
        subjects={subjects}
        actions={actions}
        hasPasskey={hasPasskey}
        now={now}
      />
    </>
  )
})
