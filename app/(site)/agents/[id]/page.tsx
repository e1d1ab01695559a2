import type { Metadata } from 'next'
import { withProblemPage, withProblemTitle } from '@/app/_shell/problem-page'
import { answerNotFound } from '@/app/_web/answer-not-found'
import { isRateLimited } from '@/app/_web/problem'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { config } from '@/lib/kernel/config'
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
  if (check.state === 'found') return { title: `Agent ${check.agent.agent_name}`, robots }
  return { title: check.state === 'unknown' ? 'No such agent' : 'Agent not checked', robots }
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
          Checked <Time at={agent.checked_at} />.
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
          title="Check from a program"
          lead="Trust the agent only when valid is true. For an unknown agent, the answer is 404 with valid: false."
        >
          <CopyBlock
            label="Shell"
            text={`curl '${config().baseUrl}/beak/agent/verify?agent_id=${agent.agent_id}'`}
          />
          <p className="mt-4 text-sm text-soft">
            To be sure that you are talking to the agent, ask it for a token from{' '}
            <Link href="/docs/api/agents#post-beak-agent-token" className="text-accent underline">
              POST /beak/agent/token
            </Link>{' '}
            that names you as its audience.
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
      title: 'This agent is valid.',
      text: `${name} is bonded and acts for ${person}.`,
    }
  if (status === 'registered')
    return {
      kind: 'other',
      title: 'This agent is not bonded yet.',
      text: `${name} is registered by ${person}, but has not proved that it holds its key. It may not act yet.`,
    }
  if (status === 'suspended')
    return {
      kind: 'no',
      title: 'This agent is suspended.',
      text: `${person} has stopped ${name} for now. Do not rely on it until it is resumed.`,
    }
  return {
    kind: 'no',
    title: 'This agent was deregistered.',
    text: `${name} acted for ${person} and was deregistered for good. Anyone who uses its name now is not this agent.`,
  }
}
