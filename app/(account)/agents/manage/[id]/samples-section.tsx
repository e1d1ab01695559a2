import type { Viewer } from '@/app/_web/viewer'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { config } from '@/lib/kernel/config'
import { type Sample, type SampleLanguage, samplesOf } from '../../code-samples'
import type { Agent } from '../../read'

/** How the agent asks, next to how a service uses the permission. */
export function SamplesSection({ agent, viewer }: { agent: Agent; viewer: Viewer }) {
  if (!agent.capabilities.includes('request:peck'))
    return (
      <Section
        id="ask"
        title="Ask for a permission and use it"
        lead="This agent can't send requests, because it doesn't have the capability request:peck."
      >
        <p className="text-sm text-soft">Register another agent to send requests.</p>
      </Section>
    )
  const facts = { baseUrl: config().baseUrl, agentId: agent.agent_id, targetId: viewer.duckling_id }
  const samples = samplesOf(facts)
  return (
    <Section
      id="ask"
      title="Ask for a permission and use it"
      lead={
        <>
          The agent asks you here. The request appears in{' '}
          <Link href="/pecks" className="underline">
            your inbox
          </Link>
          . After your approval, the agent shows its grant token to the service that acts, and that service
          uses it up.
        </>
      }
    >
      <div className="group/samples">
        <Languages samples={samples} />
        {samples.map((sample) => (
          <SampleColumns key={sample.language} sample={sample} />
        ))}
      </div>
    </Section>
  )
}

/** Chooses the language without JavaScript: the style sheet shows the columns of the chosen one. */
function Languages({ samples }: { samples: Sample[] }) {
  return (
    <fieldset className="mb-4 inline-flex flex-wrap rounded-control border border-line bg-surface p-0.5">
      <legend className="visually-hidden">Language</legend>
      {samples.map(({ language, title }, n) => (
        <label
          key={language}
          className="inline-flex min-h-11 cursor-pointer items-center rounded-control px-3 text-sm text-soft has-checked:bg-sunken has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-accent sm:px-4"
        >
          <input
            type="radio"
            name="sample"
            value={language}
            defaultChecked={n === 0}
            className="visually-hidden"
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

const shownWhenChosen: Record<SampleLanguage, string> = {
  curl: 'group-has-[input[value=curl]:checked]/samples:grid',
  beak: 'group-has-[input[value=beak]:checked]/samples:grid',
  typescript: 'group-has-[input[value=typescript]:checked]/samples:grid',
  python: 'group-has-[input[value=python]:checked]/samples:grid',
}

function SampleColumns({ sample: { language, title, ask, wait, use } }: { sample: Sample }) {
  return (
    <div className={`hidden gap-x-6 gap-y-8 xl:grid-cols-2 ${shownWhenChosen[language]}`}>
      <section aria-label={`The agent asks, in ${title}`} className="grid min-w-0 content-start gap-3">
        <h3 className="text-base">The agent asks</h3>
        <p className="text-sm text-soft">
          Its key is in <code>BEAK_KEY</code>.
        </p>
        <CopyBlock label={`Ask with ${title}`} text={ask} copyLabel="Copy" isExpanded />
        {wait === undefined ? null : (
          <>
            <p className="text-sm text-soft">
              After your approval, this prints the <code>grant_token</code>. The request's ID is in{' '}
              <code>PECK_ID</code>.
            </p>
            <CopyBlock label="Wait for the answer" text={wait} copyLabel="Copy" isExpanded />
          </>
        )}
      </section>
      <section aria-label={`The service uses it, in ${title}`} className="grid min-w-0 content-start gap-3">
        <h3 className="text-base">The service uses it</h3>
        <p className="text-sm text-soft">
          Run this before the action. The agent's grant token is in <code>GRANT_TOKEN</code>. The service
          needs no account.
        </p>
        <CopyBlock label={`Use with ${title}`} text={use} copyLabel="Copy" isExpanded />
      </section>
    </div>
  )
}
