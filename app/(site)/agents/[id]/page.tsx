import { personName } from '@beak/decision/person-name'
import { quotedName } from '@beak/decision/quote'
import { Check, X } from 'lucide'
import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ForExperts } from '@/app/_shell/for-experts'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/page-read'
import { isRateLimited } from '@/app/_web/problem'
import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { tierWords } from '@/lib/kernel/text/tier-words'
import { Unchecked } from '../../unchecked'
import { AgentDetails, Capabilities, Operator } from './agent-parts'
import { type Agent, checkAgent } from './check-agent'
import NoSuchAgent from './not-found'

/** What the check of a valid agent does not prove, and then what it proves. */
function LimitsOfCheck({ agent: { agent_name, operator } }: { agent: Agent }) {
  const name = quotedName(agent_name)
  return (
    <div className="grid gap-x-16 gap-y-8 rounded-card border border-line bg-surface px-6 py-6 sm:px-8 md:grid-cols-2">
      <section aria-labelledby="not-proved">
        <h2 id="not-proved" className="text-lg leading-snug">
          {m.agent_check_this_page_does_not_prove()}
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_that_you_are_talking_name_anyone}
              with={{ name }}
              parts={{
                strong: (children) => <strong>{children}</strong>,
                link: (children) => (
                  <Link href="/verify" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </Point>
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_not_proved_permission}
              parts={{ strong: (children) => <strong>{children}</strong> }}
            />
          </Point>
          <Point isProved={false}>
            <Sentence
              of={m.agent_check_that_its_name_is_true_its}
              with={{ name }}
              parts={{ strong: (children) => <strong>{children}</strong> }}
            />
          </Point>
        </ul>
      </section>
      <section aria-labelledby="proved">
        <h2 id="proved" className="text-lg leading-snug">
          {m.agent_check_it_proves()}
        </h2>
        <ul className="mt-3 grid gap-3 text-sm">
          <Point isProved>{m.agent_check_that_agent_with_this_id_exists()}</Point>
          <Point isProved>
            <Sentence
              of={m.agent_check_that_operator_confirmed_is_responsible}
              with={{ operator: personName(operator), tier: tierWords(operator.trust_tier) }}
            />
          </Point>
          <Point isProved>{m.agent_check_that_it_was_not_suspended_or()}</Point>
        </ul>
      </section>
    </div>
  )
}

function Point({ isProved, children }: { isProved: boolean; children: ReactNode }) {
  return (
    <li className="flex items-start gap-3">
      <Icon
        of={isProved ? Check : X}
        size={18}
        className={`mt-0.5 shrink-0 ${isProved ? 'text-good' : 'text-bad'}`}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </li>
  )
}

interface PageProps {
  params: Promise<{ id: string }>
}

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const check = await checkAgent((await params).id)
  const robots = { index: false }
  if (check.state === 'found')
    return { title: m.agent_check_agent_title({ agent_name: check.agent.agent_name }), robots }
  return {
    title: check.state === 'unknown' ? m.agent_check_no_such_agent() : m.agent_check_agent_not_checked(),
    robots,
  }
})

/** Shows anyone whether an agent is registered, bonded and not stopped. */
export default withProblemPage(async function AgentPage({ params }: PageProps) {
  const { id } = await params
  const check = await checkAgent(id)
  if (check.state === 'found') return <CheckedAgent agent={check.agent} />
  if (check.state === 'unknown') {
    answerNotFound()
    return <NoSuchAgent />
  }
  const { problem } = check
  return (
    <div className="mx-auto max-w-4xl">
      <Unchecked
        subject="agent"
        id={id}
        isLimited={isRateLimited(problem)}
        retryAfter={problem.retry_after ?? null}
      />
    </div>
  )
})

function CheckedAgent({ agent }: { agent: Agent }) {
  const { kind, title, text } = verdictOn(agent)
  return (
    <div className="mx-auto grid max-w-4xl gap-12">
      <Verdict kind={kind} title={title}>
        <p>{text}</p>
        <p className="mt-1 text-sm">
          <Sentence of={m.agent_check_checked} parts={{ time: () => <Time at={agent.checked_at} /> }} />
        </p>
      </Verdict>
      <div className="grid gap-x-16 gap-y-12 md:grid-cols-2">
        <Operator operator={agent.operator} isPast={agent.status === 'deregistered'} />
        <AgentDetails agent={agent} />
      </div>
      {agent.valid ? <LimitsOfCheck agent={agent} /> : null}
      <Capabilities agent={agent} />
      <ForExperts hint={m.agent_check_check_from_a_program()}>
        <Section
          id="json"
          title={m.agent_check_check_from_a_program()}
          lead={m.agent_check_trust_agent_only_when_valid_is()}
        >
          <CopyBlock
            label={m.agent_check_shell()}
            text={`curl '${config().baseUrl}/beak/agent/verify?agent_id=${agent.agent_id}'`}
          />
          <p className="mt-4 text-sm text-soft">
            <Sentence
              of={m.agent_check_be_sure_that_you_are_talking}
              parts={{
                link: (children) => (
                  <Link href="/docs/api/agents#post-beak-agent-token" className="text-accent underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </p>
        </Section>
      </ForExperts>
    </div>
  )
}

/** What the page says first: whether to trust the agent. */
function verdictOn({ valid, status, agent_name: name, operator }: Agent): {
  kind: VerdictKind
  title: string
  text: ReactNode
} {
  const person = personName(operator)
  if (valid)
    return {
      kind: 'yes',
      title: m.agent_check_this_agent_is_valid(),
      text: <Sentence of={m.agent_check_name_is_bonded_acts_for_person} with={{ name, person }} />,
    }
  if (status === 'registered')
    return {
      kind: 'other',
      title: m.agent_check_this_agent_is_not_bonded_yet(),
      text: <Sentence of={m.agent_check_name_is_registered_by_person_but} with={{ name, person }} />,
    }
  if (status === 'suspended')
    return {
      kind: 'no',
      title: m.agent_check_this_agent_is_suspended(),
      text: <Sentence of={m.agent_check_person_has_stopped_name_for_now} with={{ person, name }} />,
    }
  return {
    kind: 'no',
    title: m.agent_check_this_agent_was_deregistered(),
    text: <Sentence of={m.agent_check_name_acted_for_person_was_deregistered} with={{ name, person }} />,
  }
}
