import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { api } from '@/app/_web/api'
import { Duck } from '@/components/duck'
import { withProblemPage, withProblemTitle } from '@/components/problem-page'
import { CopyBlock } from '@/components/ui/copy'
import { Facts, Pill, Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { Verdict, type VerdictKind } from '@/components/verdict'
import { answerWith } from '@/lib/http/page-status'
import { config } from '@/lib/kernel/config'
import NoSuchAgent from './not-found'

interface PageProps {
  params: Promise<{ id: string }>
}

/** The API's answer; asked once a request. */
const checkAgent = cache((id: string) => api('GET /beak/agent/verify', { query: { agent_id: id } }))

type Agent = Extract<Awaited<ReturnType<typeof checkAgent>>, { ok: true }>['data']

export const generateMetadata = withProblemTitle(async function generateMetadata({
  params,
}: PageProps): Promise<Metadata> {
  const result = await checkAgent((await params).id)
  const robots = { index: false }
  if (result.ok) return { title: `Agent ${result.data.agent_name}`, robots }
  const isUnknown = result.problem.status === 404 || result.problem.status === 400
  return { title: isUnknown ? 'No such agent' : 'Agent not checked', robots }
})

/** Whether an agent is what it says: for whoever it presents itself to. */
export default withProblemPage(async function AgentPage({ params }: PageProps) {
  const { id } = await params
  const result = await checkAgent(id)
  if (result.ok) return <Checked agent={result.data} />
  if (result.problem.status === 404 || result.problem.status === 400) {
    if (!answerWith(404)) notFound()
    return <NoSuchAgent />
  }
  const { status, retry_after } = result.problem
  answerWith(status === 429 ? 429 : 503, retry_after)
  return (
    <div className="mx-auto max-w-4xl">
      <Verdict kind="unsure" title="We could not check this agent.">
        <p>
          That says nothing about it, so do not rely on it yet. Try again in a moment:{' '}
          <span className="font-mono text-sm wrap-anywhere">{id}</span>
        </p>
      </Verdict>
    </div>
  )
})

function Checked({ agent }: { agent: Agent }) {
  const { kind, title, text } = explain(agent)
  return (
    <div className="mx-auto grid max-w-4xl gap-12">
      <Verdict kind={kind} title={title}>
        <p>{text}</p>
        <p className="mt-1 text-sm">
          Checked <Time at={agent.checked_at} />.
        </p>
      </Verdict>
      <div className="grid gap-x-16 gap-y-12 md:grid-cols-2">
        <Who agent={agent} />
        <Operator operator={agent.operator} isPast={agent.status === 'deregistered'} />
      </div>
      <div>
        <MayDo agent={agent} />
        <Section
          id="json"
          title="Check it from a program"
          lead="Believe valid only when it is true. An unknown agent is answered with 404, and with false."
        >
          <CopyBlock
            label="Shell"
            text={`curl '${config().baseUrl}/beak/agent/verify?agent_id=${agent.agent_id}'`}
          />
          <p className="mt-4 text-sm text-soft">
            This tells that the agent exists, not that it is the one you talk to. For that, have it send you a
            token from{' '}
            <Link href="/docs/api/agents#post-beak-agent-token" className="text-accent underline">
              POST /beak/agent/token
            </Link>{' '}
            made out to you.
          </p>
        </Section>
      </div>
    </div>
  )
}

function explain({ valid, status, agent_name: name, operator }: Agent): {
  kind: VerdictKind
  title: string
  text: string
} {
  const of = `${operator.display_name}'s`
  if (valid)
    return {
      kind: 'yes',
      title: 'This agent is real and in good standing.',
      text: `${name} is bonded, and acts for ${operator.display_name}.`,
    }
  if (status === 'registered')
    return {
      kind: 'other',
      title: 'This agent is not bonded yet.',
      text: `${name} is registered as ${of}, but has not proved itself with its key. It may not act yet.`,
    }
  if (status === 'suspended')
    return {
      kind: 'no',
      title: 'This agent is suspended.',
      text: `${operator.display_name} has stopped ${name} for now. Do not take anything from it until that ends.`,
    }
  return {
    kind: 'no',
    title: 'This agent is no more.',
    text: `${name} was ${of}, and has been deregistered for good. Whoever speaks in its name now is somebody else.`,
  }
}

function Who({ agent }: { agent: Agent }) {
  return (
    <section aria-labelledby="who">
      <h2 id="who">The agent</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={agent.agent_id} size={76} className={agent.valid ? '' : 'opacity-60 grayscale'} />
        <div className="min-w-0">
          <p className="font-display text-xl font-semibold wrap-anywhere">{agent.agent_name}</p>
          <p className="mt-1">
            <Pill tone={agent.valid ? 'good' : 'neutral'}>{agent.status}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          { name: 'Type', value: agent.agent_type },
          { name: 'Bonded', value: agent.bonded_at === null ? 'never' : <Time at={agent.bonded_at} /> },
          { name: 'Number', value: <code>{agent.agent_id}</code> },
        ]}
      />
    </section>
  )
}

function Operator({ operator, isPast }: { operator: Agent['operator']; isPast: boolean }) {
  return (
    <section aria-labelledby="behind">
      <h2 id="behind">{isPast ? 'Who stood behind it' : 'Who stands behind it'}</h2>
      <div className="mt-5 mb-6 flex items-center gap-5">
        <Duck id={operator.duckling_id} size={76} />
        <div className="min-w-0">
          <p className="font-display text-xl font-semibold wrap-anywhere">{operator.display_name}</p>
          <p className="mt-1">
            <Pill>{operator.trust_tier}</Pill>
          </p>
        </div>
      </div>
      <Facts
        facts={[
          {
            name: 'Certificate',
            value:
              operator.cert_id === null ? (
                'none that holds'
              ) : (
                <Link
                  href={`/verify/${operator.cert_id}`}
                  className="inline-flex min-h-6 items-center text-accent underline"
                >
                  Check it
                </Link>
              ),
          },
          { name: 'Number', value: <code>{operator.duckling_id}</code> },
        ]}
      />
    </section>
  )
}

function MayDo({ agent }: { agent: Agent }) {
  return (
    <Section
      id="capabilities"
      title={agent.status === 'deregistered' ? 'What it could ask of Beak' : 'What it may ask of Beak'}
      lead={
        agent.status === 'deregistered'
          ? 'Its capabilities, as its operator had set them. They ended with it.'
          : 'Its capabilities, as its operator set them. For anything beyond, it has to ask a person each time.'
      }
    >
      <ul className="flex flex-wrap gap-2">
        {agent.capabilities.map((capability) => (
          <li
            key={capability}
            className="rounded-control border border-line bg-surface px-3 py-1 font-mono text-sm wrap-anywhere"
          >
            {capability}
          </li>
        ))}
      </ul>
    </Section>
  )
}
