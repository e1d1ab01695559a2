import type { Metadata } from 'next'
import { withProblemPage } from '@/app/_shell/problem-page'
import { read } from '@/app/_web/page-read'
import { requireViewer } from '@/app/_web/viewer'
import { Announcements } from '@/components/ui/announcements'
import { ButtonLink } from '@/components/ui/button'
import { PageHead, Section } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { Pager } from '../pecks/_list/pager'
import { AgentBudgets } from './_rule/agent-budgets'
import { AllPausedNotice } from './_rule/all-paused-notice'
import { EmptyRules } from './_rule/empty-rules'
import { type PresentedRule, readRuleState, readSubjects, type Subject, subjectName } from './_rule/reads'
import { RuleRow } from './_rule/rule-row'
import { isExpiredAndAsks, isLiving } from './_rule/words'

export const generateMetadata = (): Metadata => ({
  title: m.rules_always_allowed(),
  robots: { index: false },
})

/** The rules of the viewer, with those that have ended, and the budgets of agents. */
export default withProblemPage(async function RulesPage({
  searchParams,
}: {
  searchParams: Promise<{ cursor?: string }>
}) {
  const viewer = await requireViewer('/rules')
  const cursor = String((await searchParams).cursor ?? '')
  const state = await readRuleState()
  if (!state.made) return <NoRules viewerId={viewer.duckling_id} />
  const [{ items, next_cursor: next }, budgets, subjects] = await Promise.all([
    read('GET /beak/rule/list', { query: { cursor, limit: '100' } }),
    read('GET /beak/rule/budgets', { query: {} }),
    readSubjects(viewer.duckling_id),
  ])
  const lists = { subjects, areAllPaused: state.paused_at !== null, now: readClock() }
  const isShownFirst = (rule: PresentedRule) => isLiving(rule) || isExpiredAndAsks(rule)
  const ended = items.filter((rule) => !isShownFirst(rule))
  return (
    <>
      <PageHead title={m.rules_always_allowed()} lead={m.rules_lead()}>
        <ButtonLink href="/rules/answers">{m.rules_answered_for_you()}</ButtonLink>
        <ButtonLink kind="primary" href="/rules/new">
          {m.rules_new()}
        </ButtonLink>
      </PageHead>
      {state.paused_at === null ? null : <AllPausedNotice />}
      <Announcements>
        <RuleList {...lists} label={m.rules_living()} rules={items.filter(isShownFirst)} />
      </Announcements>
      <AgentBudgets budgets={budgets.items} subjects={subjects} />
      {ended.length === 0 ? null : (
        <Section id="ended" title={m.rules_ended_rules()}>
          <RuleList {...lists} label={m.rules_ended_rules()} rules={ended} />
        </Section>
      )}
      <Pager here="/rules" cursor={cursor} next={next} />
    </>
  )
})

function NoRules({ viewerId }: { viewerId: string }) {
  return (
    <>
      <PageHead title={m.rules_always_allowed()} lead={m.rules_lead()} />
      <EmptyRules viewerId={viewerId} />
    </>
  )
}

interface RuleListProps {
  rules: PresentedRule[]
  subjects: Subject[]
  label: string
  areAllPaused: boolean
  now: Date
}

function RuleList({ rules, subjects, label, ...list }: RuleListProps) {
  if (rules.length === 0) return <p className="mb-14 text-soft">{m.rules_none_living()}</p>
  return (
    <ul aria-label={label} className="mb-14 border-y border-line">
      {rules.map((rule) => (
        <RuleRow key={rule.rule_id} rule={rule} subject={subjectName(subjects, rule.rule)} {...list} />
      ))}
    </ul>
  )
}
