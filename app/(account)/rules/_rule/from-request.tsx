import { isolated, personName } from '@beak/decision/person-name'
import { KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { BackLink } from '@/components/ui/back-link'
import { ButtonLink } from '@/components/ui/button'
import { Card, Notice, PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'
import type { Peck, ShownPeck } from '../../pecks/_peck/reads'
import { requesterName } from '../../pecks/_peck/words'
import { type ChipRow, Chips } from './chips'
import { rehearse } from './reads'
import { RefusedRule } from './refused-rule'
import { RehearsalSection } from './rehearsal'
import { RuleSentence } from './rule-sentence'
import { SignForm } from './sign-form'
import { chosenSteps, type Part, partsOf, ruleWith } from './steps'
import { partLabel, stepText, whySentence } from './words'

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
  found: { peck, words },
  steps,
  viewerId,
  hasPasskey,
  now,
}: FromRequestProps) {
  const back = `/pecks/${peck.peck_id}`
  const parts = partsOf(peck)
  if (parts === null || peck.requester.agent_id === undefined)
    return (
      <>
        <Head back={back} action={words.action} />
        <Notice>{m.rules_no_rule_for_this()}</Notice>
      </>
    )
  const chosen = chosenSteps(parts, steps)
  const rule = ruleWith(peck, parts, chosen)
  const result = await rehearse(rule)
  const agent = requesterName(peck.requester)
  const name = rule.operator_id === undefined ? agent : everyAgent(peck.requester, viewerId)
  const isPending = peck.status === 'pending'
  const why = result.ok ? (result.data.others.find(({ peck_id }) => peck_id === peck.peck_id)?.why ?? []) : []
  return (
    <>
      <Head back={back} action={words.action} />
      <Card className="mb-12 grid gap-6">
        {result.ok ? (
          <RuleSentence
            subjectId={rule.agent_id ?? rule.operator_id ?? ''}
            subject={name}
            sentence={result.data.sentence}
            isLead
          />
        ) : (
          <RefusedRule problem={result.problem} />
        )}
        <Chips rows={parts.map(rowOf)} chosen={chosen} path={`/rules/new?peck=${peck.peck_id}`} />
        {why.length === 0 ? null : (
          <Notice tone="warn" title={m.rules_not_this_one()}>
            <KeptText text={whySentence(why)} />
          </Notice>
        )}
        {result.ok ? (
          <div className="grid justify-items-start gap-3 border-t border-line pt-5">
            <SignForm rule={rule} hasPasskey={hasPasskey} {...(isPending ? { peckId: peck.peck_id } : {})} />
            <ButtonLink href={back} kind="quiet">
              {m.rules_only_once()}
            </ButtonLink>
          </div>
        ) : null}
      </Card>
      {result.ok ? <RehearsalSection rehearsal={result.data} name={name} now={now} /> : null}
    </>
  )
}

const rowOf = (part: Part): ChipRow => ({
  label: partLabel(part),
  isName: part.kind === 'param',
  steps: part.steps.map(({ words }) => stepText(words)),
})

const everyAgent = (requester: Peck['requester'], viewerId: string) =>
  requester.duckling_id === viewerId
    ? m.rules_all_your_agents()
    : m.rules_all_agents_of({ person: isolated(personName(requester)) })

function Head({ back, action }: { back: string; action: string }) {
  return (
    <>
      <BackLink href={back}>{m.rules_back_to_request()}</BackLink>
      <PageHead
        title={m.rules_dont_ask_again_title()}
        lead={<Sentence of={m.rules_dont_ask_again_lead} with={{ action }} />}
      />
    </>
  )
}
