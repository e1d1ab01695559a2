import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound, find } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { draftIn, draftOf, type Query } from '../../_rule/draft'
import { Editor } from '../../_rule/editor'
import { readSubjects } from '../../_rule/reads'
import { isExpiredAndAsks, isLiving } from '../../_rule/words'

export const generateMetadata = (): Metadata => ({ title: m.rules_change(), robots: { index: false } })

interface EditProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Query>
}

/** A rule with its fields. A narrower rule needs one tap, a wider one a signature. */
export default withProblemPage(async function EditRulePage({ params, searchParams }: EditProps) {
  const { id } = await params
  const path = `/rules/${encodeURIComponent(id)}/edit`
  const viewer = await requireViewer(path)
  const rule = await find('GET /beak/rule/view', { query: { rule_id: id } })
  if (rule === null) {
    answerNotFound()
    return <MissingPage kind="rule" viewer={viewer} />
  }
  if (!isLiving(rule) && !isExpiredAndAsks(rule)) redirect(`/rules/${rule.rule_id}`)
  const query = await searchParams
  const now = readClock()
  const leftSeconds = Math.max(60, Math.floor((Date.parse(rule.expires_at) - now.getTime()) / 1000))
  return (
    <>
      <BackLink href={`/rules/${rule.rule_id}`}>{m.rules_back_to_rule()}</BackLink>
      <PageHead title={m.rules_change()} lead={m.rules_change_lead()} />
      <Editor
        path={path}
        draft={query.draft === undefined ? draftOf(rule.rule) : draftIn(query)}
        subjects={await readSubjects(viewer.duckling_id)}
        actions={rule.rule.actions}
        hasPasskey={await viewerHasPasskey()}
        now={now}
        // A rule that has expired is renewed for as long as it was first signed.
        change={{ ruleId: rule.rule_id, ...(isLiving(rule) ? { leftSeconds } : {}) }}
      />
    </>
  )
})
