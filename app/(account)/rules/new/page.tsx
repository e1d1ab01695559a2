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
import { type Draft, draftIn, draftInAddress, type Query, ruleIn } from '../_rule/draft'
import { ExampleList } from '../_rule/example-list'
import { FromRequest } from '../_rule/from-request'
import { FromTemplate, readOwnAgents } from '../_rule/from-template'
import { readSubjects, subjectName } from '../_rule/reads'
import { RuleForm } from '../_rule/rule-form'
import { RuleSteps } from '../_rule/rule-steps'
import { templates } from '../_rule/templates'

export const generateMetadata = (): Metadata => ({ title: m.rules_new(), robots: { index: false } })

/** A new rule: filled from a request (`peck`), from an example (`example`), or from scratch, as programs write rules. */
export default withProblemPage(async function NewRulePage({
  searchParams,
}: {
  searchParams: Promise<Query>
}) {
  const query = await searchParams
  const given = (name: string) => (typeof query[name] === 'string' ? (query[name] as string) : null)
  const [peck, rule] = [given('peck'), given('rule')]
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
  const agents = await readOwnAgents()
  const template = templates.find(({ id }) => id === given('example'))
  if (template !== undefined && agents.length > 0)
    return <FromTemplate {...{ template, agents, query, viewerId: viewer.duckling_id, hasPasskey, now }} />
  const draft = (rule === null ? null : draftInAddress(rule)) ?? draftIn(query)
  return (
    <>
      <BackLink href="/allowed#rules">{m.rooms_allowed()}</BackLink>
      <PageHead title={m.rules_new()} lead={m.rules_new_lead()} />
      <ExampleList agents={agents} viewerId={viewer.duckling_id} />
      <details open={rule !== null || query.draft !== undefined}>
        <summary className="cursor-pointer py-2 text-lg font-semibold">{m.rules_for_programs()}</summary>
        <p className="mt-1 mb-6 max-w-prose text-sm text-soft">{m.rules_for_programs_lead()}</p>
        <ForPrograms draft={draft} viewerId={viewer.duckling_id} hasPasskey={hasPasskey} now={now} />
      </details>
    </>
  )
})

interface ForProgramsProps {
  draft: Draft
  viewerId: string
  hasPasskey: boolean
  now: Date
}

/** All fields of a rule: actions as verb:object, conditions and JSON. */
async function ForPrograms({ draft, viewerId, hasPasskey, now }: ForProgramsProps) {
  const [subjects, { items: askers }] = await Promise.all([
    readSubjects(viewerId),
    read('GET /beak/peck/askers'),
  ])
  const actions = [...new Set(askers.flatMap((asker) => asker.actions.map(({ action }) => action)))].sort()
  const filled = draft.who === '' ? { ...draft, who: subjects[0]?.id ?? '' } : draft
  const rule = ruleIn(filled)
  return (
    <RuleSteps
      rule={rule}
      inexact={draft.inexact}
      name={rule === null ? '' : subjectName(subjects, rule)}
      path="/rules/new"
      hasPasskey={hasPasskey}
      now={now}
      form={
        <div className="mb-12">
          <RuleForm path="/rules/new" draft={filled} subjects={subjects} actions={actions} />
        </div>
      }
    />
  )
}
