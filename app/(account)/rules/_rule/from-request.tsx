import { isolated, personName } from '@beak/decision/person-name'
import { judge } from '@beak/proofs/rules/judge'
import { read } from '@/app/_web/page-read'
import { KeptText } from '@/components/kept-text'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Notice, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import { kept } from '@/lib/kernel/text/kept-values'
import type { Peck, ShownPeck } from '../../pecks/_peck/reads'
import { requesterName } from '../../pecks/_peck/words'
import { type Rehearsal, readRuleState, type SentRule } from './reads'
import { exceededBy, leftFor } from './rule-notices'
import { RuleSteps } from './rule-steps'
import { chosenSteps, type Part, partsOf, proposedSteps, ruleWith } from './steps'
import { leftTexts, whySentence } from './words'

interface FromRequestProps {
  found: ShownPeck
  /** Which step each part has: "0.1.0". */
  steps: string
  viewerId: string
  hasPasskey: boolean
  now: Date
}

/** A rule that is filled from a request. Each value is a row of chips, the narrowest first, and the sentence stands above. */
export async function FromRequest({
  found: { peck, details },
  steps,
  viewerId,
  hasPasskey,
  now,
}: FromRequestProps) {
  const back = `/pecks/${peck.peck_id}`
  const request = { ...peck, approved: details.as_before?.count }
  const parts = partsOf(request)
  if (parts === null || peck.requester.agent_id === undefined)
    return (
      <>
        <Head back={back} />
        <Notice>{m.rules_no_rule_for_this()}</Notice>
      </>
    )
  const chosen = chosenSteps(parts, steps, proposedSteps(request, parts))
  const rule = ruleWith(request, parts, chosen)
  const agent = requesterName(peck.requester)
  return (
    <>
      <Head back={back} />
      <OwnRule peck={peck} agentId={peck.requester.agent_id} budget={rule.budget} />
      <RuleSteps
        rule={rule}
        name={rule.operator_id === undefined ? agent : everyAgent(peck.requester, viewerId)}
        parts={parts}
        chosen={chosen}
        path={`/rules/new?peck=${peck.peck_id}`}
        hasPasskey={hasPasskey}
        now={now}
        isAdjusted={steps !== ''}
        note={({ others }) => (
          <NotThisOne why={others.find(({ peck_id }) => peck_id === peck.peck_id)?.why} />
        )}
        {...(peck.status === 'pending' ? { peckId: peck.peck_id } : {})}
      >
        <ButtonLink href={back} kind="quiet">
          {m.rules_back_without_rule()}
        </ButtonLink>
        {isNarrowest(parts, chosen) ? <p className="text-sm text-soft">{m.rules_same_only()}</p> : null}
      </RuleSteps>
    </>
  )
}

/** Whether each detail has to be as it is in the request, though some could be wider. */
const isNarrowest = (parts: Part[], chosen: number[]) =>
  parts.every(({ kind }, at) => kind !== 'param' || chosen[at] === 0) &&
  parts.some(({ kind, steps }) => kind === 'param' && steps.length > 1)

interface OwnRuleProps {
  peck: Peck
  agentId: string
  /** What the new rule allows. */
  budget: SentRule['budget']
}

/** Names a rule that answers the same already: a second one allows more beside it. A rule is shown only when it fits the request. */
async function OwnRule({ peck, agentId, budget }: OwnRuleProps) {
  if ((await readRuleState()).living === 0) return null
  const { items } = await read('GET /beak/rule/list', { query: { limit: '100' } })
  const { action, scope, params } = peck
  const request = { requester: { ...peck.requester, agent_id: agentId }, action, scope, params }
  const found = items.find(
    ({ status, rule }) =>
      status === 'on' && rule.mode === 'on' && rule.answer === 'approve' && judge(rule, request).fits,
  )
  if (found === undefined) return null
  const exceeded = exceededBy(found, request)
  const left = leftTexts({ budget: found.rule.budget, left: leftFor(found, exceeded) }).join(', ')
  const { amount, per = 'all' } = budget ?? {}
  return (
    <div className="mb-6">
      <Notice title={exceeded === null ? m.rules_has_rule() : m.rules_has_rule_spent()}>
        {left === '' ? null : (
          <>
            <KeptText
              text={
                amount === undefined
                  ? m.rules_has_rule_own_budget({ left })
                  : m.rules_has_rule_adds({ left, budget: m.rules_step_money({ amount: kept(amount), per }) })
              }
            />{' '}
          </>
        )}
        <Link href={`/rules/${found.rule_id}/edit`} className="underline">
          {m.rules_has_rule_change()}
        </Link>
      </Notice>
    </div>
  )
}

/** Warns that the rule would not answer the request that it was made from. */
function NotThisOne({ why = [] }: { why?: Rehearsal['others'][number]['why'] | undefined }) {
  if (why.length === 0) return null
  return (
    <Notice tone="warn" title={m.rules_not_this_one()}>
      <KeptText text={whySentence(why)} />
    </Notice>
  )
}

const everyAgent = (requester: Peck['requester'], viewerId: string) =>
  requester.duckling_id === viewerId
    ? m.rules_all_your_agents()
    : m.rules_all_agents_of({ person: isolated(personName(requester)) })

function Head({ back }: { back: string }) {
  return (
    <>
      <BackLink href={back}>{m.rules_back_to_request()}</BackLink>
      <PageHead title={m.rules_dont_ask_again_title()} lead={m.rules_dont_ask_again_lead()} />
    </>
  )
}
