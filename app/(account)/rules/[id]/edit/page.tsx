import { canonicalText } from '@beak/proofs/canonical'
import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage } from '@/app/_shell/problem-page'
import { answerNotFound, find } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { chosenZone } from '@/components/ui/zone'
import { m } from '@/lib/kernel/messages'
import { day as daySeconds, readClock } from '@/lib/kernel/runtime/clock'
import { inZone } from '@/lib/kernel/text/time-words'
import { draftIn, draftOf, keepDays, type Query, ruleIn } from '../../_rule/draft'
import { editParts, isPlain } from '../../_rule/edit-steps'
import { type PresentedRule, type Rule, readSubjects, subjectName } from '../../_rule/reads'
import { RuleForm } from '../../_rule/rule-form'
import { RuleSteps } from '../../_rule/rule-steps'
import { chosenSteps, withSteps } from '../../_rule/steps'
import { isExpiredAndAsks, isLiving } from '../../_rule/words'

export const generateMetadata = (): Metadata => ({ title: m.rules_change(), robots: { index: false } })

interface EditProps {
  params: Promise<{ id: string }>
  searchParams: Promise<Query>
}

/**
 * A rule as its sentence, with the steps of each part. The fields for programs are folded, unless only they can change a condition. A narrower
 * rule needs one tap, a wider one a signature.
 */
export default withProblemPage(async function EditRulePage({ params, searchParams }: EditProps) {
  const { id } = await params
  const path = `/rules/${encodeURIComponent(id)}/edit`
  const viewer = await requireViewer(path)
  const found = await find('GET /beak/rule/view', { query: { rule_id: id } })
  if (found === null) {
    answerNotFound()
    return <MissingPage kind="rule" viewer={viewer} />
  }
  if (!isLiving(found) && !isExpiredAndAsks(found)) redirect(`/rules/${found.rule_id}`)
  const query = await searchParams
  const now = readClock()
  const [subjects, hasPasskey] = [await readSubjects(viewer.duckling_id), await viewerHasPasskey()]
  const old = withItsEnd(found, now)
  const isForm = query.draft !== undefined
  const steps = String(query.steps ?? '')
  const hasEnded = !isLiving(found)
  const day = inZone(found.expires_at, await chosenZone(), 'day')
  const parts = editParts(old, subjects, hasEnded ? null : day)
  const chosen = chosenSteps(
    parts,
    steps,
    parts.map(({ proposed = 0 }) => proposed),
  )
  const stepped = withSteps(old, parts, chosen)
  const days =
    stepped.expires_in === old.expires_in ? keepDays : String((stepped.expires_in ?? 0) / daySeconds)
  const draft = isForm ? draftIn(query) : draftOf(stepped, days)
  const rule = isForm ? ruleIn(draft, old) : stepped
  const isUnchanged = !hasEnded && rule !== null && canonicalText(rule) === canonicalText(old)
  return (
    <>
      <BackLink href={`/rules/${found.rule_id}`}>{m.rules_back_to_rule()}</BackLink>
      <PageHead
        title={hasEnded ? m.rules_renew_title() : m.rules_change()}
        lead={hasEnded ? m.rules_renew_lead({ day }) : m.rules_change_lead()}
      />
      <RuleSteps
        rule={rule}
        inexact={draft.inexact}
        name={rule === null ? '' : subjectName(subjects, rule)}
        path={path}
        hasPasskey={hasPasskey}
        now={now}
        change={{ ruleId: found.rule_id, isUnchanged }}
        {...(isForm ? {} : { parts, chosen })}
        form={
          <details open={isForm || !isPlain(old)} className="mb-12">
            <summary className="cursor-pointer py-2 text-lg font-semibold">{m.rules_for_programs()}</summary>
            <p className="mt-1 mb-6 max-w-prose text-sm text-soft">{m.rules_for_programs_lead()}</p>
            <RuleForm
              // The fields follow the steps, and keep the focus while somebody types.
              key={steps}
              path={path}
              steps={steps}
              draft={draft}
              subjects={subjects}
              actions={old.actions}
              sameEnd={hasEnded ? m.rules_end_as_before() : m.rules_end_stays()}
            />
          </details>
        }
      >
        {isForm ? (
          <Link href={path} className="inline-flex min-h-11 items-center text-sm underline">
            {m.rules_back_to_choices()}
          </Link>
        ) : null}
      </RuleSteps>
    </>
  )
})

/** Returns the rule with the seconds that are left until its end. A rule that has expired is renewed for as long as it was first signed. */
function withItsEnd(found: PresentedRule, now: Date): Rule {
  const left = Math.ceil((Date.parse(found.expires_at) - now.getTime()) / 1000)
  return isLiving(found) ? { ...found.rule, expires_in: Math.max(60, left) } : found.rule
}
