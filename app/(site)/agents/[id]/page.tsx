import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { isRateLimited } from '@/app/_web/problem'
import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { isolated, personName } from '@/lib/kernel/text/person-name'
import { Unchecked } from '../../unchecked'
import { AgentDetails, Capabilities, Operator } from './agent-parts'
import { type Agent, checkAgent } from './check-agent'
import { LimitsOfCheck } from './limits-of-check'
import NoSuchAgent from './not-found'

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
      {agent.valid ? <LimitsOfCheck agent={agent} /> : null}
      <div className="grid gap-x-16 gap-y-12 md:grid-cols-2">
        <AgentDetails agent={agent} />
        <Operator operator={agent.operator} isPast={agent.status === 'deregistered'} />
      </div>
      <div>
        <Capabilities agent={agent} />
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
      </div>
    </div>
  )
}

/** What the page says first: whether to trust the agent. */
function verdictOn({ valid, status, agent_name: name, operator }: Agent): {
  kind: VerdictKind
  title: string
  text: string
} {
  const person = isolated(personName(operator))
  if (valid)
    return {
      kind: 'yes',
      title: m.agent_check_this_agent_is_valid(),
      text: m.agent_check_name_is_bonded_acts_for_person({ name, person }),
    }
  if (status === 'registered')
    return {
      kind: 'other',
      title: m.agent_check_this_agent_is_not_bonded_yet(),
      text: m.agent_check_name_is_registered_by_person_but({ name, person }),
    }
  if (status === 'suspended')
    return {
      kind: 'no',
      title: m.agent_check_this_agent_is_suspended(),
      text: m.agent_check_person_has_stopped_name_for_now({ person, name }),
    }
  return {
    kind: 'no',
    title: m.agent_check_this_agent_was_deregistered(),
    text: m.agent_check_name_acted_for_person_was_deregistered({ name, person }),
  }
}
