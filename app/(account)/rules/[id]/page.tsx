import { Fingerprint } from 'lucide'
import type { Metadata } from 'next'
import { PasskeySubmit } from '@/app/_passkeys/passkey-submit'
import { MissingPage } from '@/app/_shell/missing-page'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound, find, read } from '@/app/_web/page-read'
import { viewerHasPasskey } from '@/app/_web/passkeys'
import { requireViewer } from '@/app/_web/viewer'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Announcements } from '@/components/ui/announcements'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { ConfirmButtons } from '@/components/ui/confirm-buttons'
import { ActionForm, SubmitButton } from '@/components/ui/form'
import { Icon } from '@/components/ui/icon'
import { Card, Empty, Facts, Notice, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { readClock } from '@/lib/kernel/runtime/clock'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import { LeftBar } from '../_rule/agent-budgets'
import { AllPausedNotice } from '../_rule/all-paused-notice'
import { AnswerList } from '../_rule/answer-list'
import { type PresentedRule, readRuleState, readSubjects, subjectName } from '../_rule/reads'
import { narrowerRules } from '../_rule/refused-rule'
import { SpentNotice } from '../_rule/rule-notices'
import { UsedText } from '../_rule/rule-row'
import { RuleSentence } from '../_rule/rule-sentence'
import { hasBar, isExpiredAndAsks, isLiving, isSpent, stateBadge } from '../_rule/words'
import { changeRule, endRule, pauseRule, resumeRule } from '../actions'

interface RuleControlsProps {
  rule: PresentedRule
  hasPasskey: boolean
  /** Permissions that the rule gave and nobody has used. */
  unused: number
}

/**
 * What the owner can do with a rule. Resuming, widening and renewing need a signature. The forms ask for the passkey when ending, pausing or
 * narrowing could let another rule approve more.
 */
function RuleControls({ rule, hasPasskey, unused }: RuleControlsProps) {
  const id = <input type="hidden" name="rule_id" value={rule.rule_id} />
  return (
    <div className="grid gap-4 border-t border-line pt-5">
      <div className="flex flex-wrap items-start gap-3">
        {rule.status === 'on' ? (
          <ActionForm action={pauseRule} label={m.rules_pause()} keepsDraft={false}>
            {id}
            <SubmitButton kind="plain">{m.rules_pause()}</SubmitButton>
          </ActionForm>
        ) : rule.status === 'expired' ? null : hasPasskey ? (
          <ActionForm action={resumeRule} label={m.rules_resume()} keepsDraft={false}>
            {id}
            <PasskeySubmit challenge={{ purpose: 'rule', rule_id: rule.rule_id }}>
              <Icon of={Fingerprint} size={18} /> {m.rules_resume()}
            </PasskeySubmit>
          </ActionForm>
        ) : (
          <ButtonLink href="/security#add-passkey">{m.decision_add_a_passkey()}</ButtonLink>
        )}
        <ButtonLink href={`/rules/${rule.rule_id}/edit`}>
          {rule.status === 'expired' ? m.rules_renew() : m.rules_change()}
        </ButtonLink>
        <Confirm
          trigger={m.rules_end()}
          title={m.rules_end_title()}
          text={unused === 0 ? m.rules_end_text() : m.rules_end_revokes({ count: unused })}
        >
          <ActionForm action={endRule} label={m.rules_end()} keepsDraft={false}>
            {id}
            <ConfirmButtons>{m.rules_end()}</ConfirmButtons>
          </ActionForm>
        </Confirm>
      </div>
      {rule.status === 'on' ? <NarrowButtons rule={rule} /> : null}
    </div>
  )
}

/** One tap each: no rule gets wider this way, so none needs a signature. */
function NarrowButtons({ rule }: Pick<RuleControlsProps, 'rule'>) {
  const narrower = narrowerRules(rule)
  if (narrower.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-soft">{m.rules_narrow()}</span>
      {narrower.map(({ label, rule: changed }) => (
        <ActionForm
          key={label}
          action={changeRule}
          label={withoutMarks(label)}
          keepsDraft={false}
          className="contents!"
        >
          <input type="hidden" name="rule_id" value={rule.rule_id} />
          <input type="hidden" name="rule" value={JSON.stringify(changed)} />
          <SubmitButton kind="plain" className="px-3! font-normal!">
            <KeptText text={label} />
          </SubmitButton>
        </ActionForm>
      ))}
    </div>
  )
}

interface RulePageProps {
  params: Promise<{ id: string }>
  searchParams: Promise<{ made?: string; request?: string; changed?: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: RulePageProps): Promise<Metadata> {
  const { id } = await params
  await requireViewer(`/rules/${encodeURIComponent(id)}`)
  return { title: m.rules_back_to_rule(), robots: { index: false } }
})

/** One rule: its sentence, its state and budget, what it answered, and how to change it. */
export default withProblemPage(async function RulePage({ params, searchParams }: RulePageProps) {
  const { id } = await params
  const viewer = await requireViewer(`/rules/${encodeURIComponent(id)}`)
  const rule = await find('GET /beak/rule/view', { query: { rule_id: id } })
  if (rule === null) {
    answerNotFound()
    return <MissingPage kind="rule" viewer={viewer} />
  }
  const [state, subjects, hasPasskey] = [
    await readRuleState(),
    await readSubjects(viewer.duckling_id),
    await viewerHasPasskey(),
  ]
  const hasControls = isLiving(rule) || isExpiredAndAsks(rule)
  const unused = hasControls ? await read('GET /beak/rule/end/preview', { query: { rule_id: id } }) : null
  const now = readClock()
  const areAllPaused = state.paused_at !== null
  const { label, tone } = stateBadge(rule, areAllPaused)
  const subject = subjectName(subjects, rule.rule)
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 lg:-mt-3 [&>p]:m-0!">
        <BackLink href="/allowed#rules">{m.rooms_allowed()}</BackLink>
        <span className="ms-auto">
          <Pill tone={tone}>{label}</Pill>
        </span>
      </div>
      <h1 className="visually-hidden">
        <Sentence of={m.rules_rule_of} with={{ name: subject }} />
      </h1>
      <Done {...(await searchParams)} />
      {areAllPaused && isLiving(rule) ? <AllPausedNotice /> : null}
      {isExpiredAndAsks(rule) ? (
        <div className="mb-6">
          <Notice tone="warn" title={m.rules_expired_asks()}>
            <p>{m.rules_expired_asks_text()}</p>
          </Notice>
        </div>
      ) : null}
      {isSpent(rule) ? <SpentNotice rule={rule} isOnItsPage /> : null}
      <Card className="mb-12 grid gap-6">
        <RuleSentence
          subjectId={rule.rule.agent_id ?? rule.rule.operator_id ?? ''}
          subject={subject}
          sentence={rule.sentence}
          isLead
          isWatching={rule.rule.mode === 'watch'}
        />
        {hasBar(rule) ? <LeftBar budget={rule.rule.budget} left={rule.left} /> : null}
        <RuleFacts rule={rule} now={now} />
        <details className="text-sm">
          <summary className="min-h-6 w-max text-soft hover:text-ink">{m.rules_more()}</summary>
          <Facts
            facts={[
              ...(rule.rule.budget?.per === undefined
                ? []
                : [{ name: m.rules_fact_zone(), value: rule.time_zone }]),
              { name: m.rules_fact_id(), value: <code translate="no">{rule.rule_id}</code> },
            ]}
          />
        </details>
        {unused === null ? null : (
          <RuleControls rule={rule} hasPasskey={hasPasskey} unused={unused.active_grants} />
        )}
      </Card>
      <Section
        id="answers"
        title={rule.rule.mode === 'watch' ? m.rules_would_have_answered_title() : m.rules_what_it_answered()}
        lead={rule.rule.mode === 'watch' ? m.rules_watch_lead() : undefined}
      >
        {rule.answers.length === 0 ? (
          <Empty title={m.rules_no_answers_yet()}>{m.rules_no_answers_yet_text()}</Empty>
        ) : (
          <Announcements>
            <AnswerList answers={rule.answers} rules={[]} label={m.rules_what_it_answered()} now={now} />
          </Announcements>
        )}
      </Section>
    </>
  )
})

/** What has just happened to the rule. */
function Done({ made, request, changed }: Awaited<RulePageProps['searchParams']>) {
  if (made === undefined && changed === undefined) return null
  const text =
    made === undefined
      ? m.rules_changed_done()
      : request === 'approved'
        ? m.rules_made_and_approved()
        : request === 'open'
          ? m.rules_made_but_not_approved()
          : m.rules_made()
  return (
    <div className="mb-6">
      <Notice tone={request === 'open' ? 'warn' : 'good'} role="status">
        {text}
      </Notice>
    </div>
  )
}

const pauseReasons: Record<string, () => string> = {
  owner: m.rules_reason_owner,
  passkey_removed: m.rules_reason_passkey_removed,
  tier_lowered: m.rules_reason_tier,
  restored: m.rules_reason_restored,
  expired: m.rules_reason_expired,
  agent_retired: m.rules_reason_agent_retired,
  account_closed: m.rules_reason_account_closed,
  asker_blocked: m.rules_reason_asker_blocked,
  reclaimed: m.rules_reason_reclaimed,
}

function RuleFacts({ rule, now }: { rule: PresentedRule; now: Date }) {
  const reason = rule.reason === null ? undefined : pauseReasons[rule.reason]
  return (
    <Facts
      facts={[
        { name: m.rules_fact_used(), value: <UsedText rule={rule} now={now} /> },
        { name: m.rules_fact_signed(), value: <Time at={rule.created_at} /> },
        rule.ended_at === null
          ? { name: m.rules_fact_ends(), value: <Time at={rule.expires_at} /> }
          : { name: m.rules_fact_ended(), value: <Time at={rule.ended_at} /> },
        ...(reason === undefined ? [] : [{ name: m.rules_fact_why(), value: reason() }]),
      ]}
    />
  )
}
