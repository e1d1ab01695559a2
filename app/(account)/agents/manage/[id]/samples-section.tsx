import type { Viewer } from '@/app/_web/viewer'
import { Sentence } from '@/components/sentence'
import { CopyBlock } from '@/components/ui/copy'
import { Link } from '@/components/ui/link'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { type Sample, type SampleLanguage, samplesOf } from '../../code-samples'
import type { Agent } from '../../read'

/** How the agent asks, next to how a service uses the permission. */
export function SamplesSection({ agent, viewer }: { agent: Agent; viewer: Viewer }) {
  const facts = { baseUrl: config().baseUrl, agentId: agent.agent_id, targetId: viewer.duckling_id }
  const samples = samplesOf(facts)
  return (
    <details id="ask" className="mb-12">
      <summary className="min-h-11 cursor-pointer py-2">
        <h2 className="inline text-lg">{m.agents_ask_for_permission_use_it()}</h2>
      </summary>
      {agent.capabilities.includes('request:peck') ? (
        <>
          <p className="mb-5 max-w-2xl text-soft">
            <Sentence
              of={m.agents_sample_flow_intro}
              parts={{
                link: (children) => (
                  <Link href="/pecks" className="underline">
                    {children}
                  </Link>
                ),
              }}
            />
          </p>
          <div className="group/samples">
            <Languages samples={samples} />
            {samples.map((sample) => (
              <SampleColumns key={sample.language} sample={sample} />
            ))}
          </div>
        </>
      ) : (
        <p className="text-sm text-soft">
          {m.agents_sample_no_capability()} {m.agents_register_another_agent_to_send_requests()}
        </p>
      )}
    </details>
  )
}

/** Chooses the language without JavaScript: the style sheet shows the columns of the chosen one. */
function Languages({ samples }: { samples: Sample[] }) {
  return (
    <fieldset className="mb-4 inline-flex flex-wrap rounded-control border border-line bg-surface p-0.5">
      <legend className="visually-hidden">{m.agents_language()}</legend>
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
      <section
        aria-label={m.agents_the_agent_asks_in_title({ title })}
        className="grid min-w-0 content-start gap-3"
      >
        <h3 className="text-base">{m.agents_the_agent_asks()}</h3>
        <p className="text-sm text-soft">
          <Sentence
            of={m.agents_its_key_is_in_beak_key}
            parts={{ code: (children) => <code translate="no">{children}</code> }}
          />
        </p>
        <CopyBlock
          label={m.agents_ask_with_title({ title })}
          text={ask}
          copyLabel={m.agents_copy()}
          isExpanded
        />
        {wait === undefined ? null : (
          <>
            <p className="text-sm text-soft">
              <Sentence
                of={m.agents_sample_wait_note}
                parts={{
                  code: (children) => <code translate="no">{children}</code>,
                  code2: (children) => <code translate="no">{children}</code>,
                }}
              />
            </p>
            <CopyBlock
              label={m.agents_wait_for_the_answer()}
              text={wait}
              copyLabel={m.agents_copy()}
              isExpanded
            />
          </>
        )}
      </section>
      <section
        aria-label={m.agents_the_service_uses_it_in_title({ title })}
        className="grid min-w-0 content-start gap-3"
      >
        <h3 className="text-base">{m.agents_the_service_uses_it()}</h3>
        <p className="text-sm text-soft">
          <Sentence
            of={m.agents_sample_consume_note}
            parts={{ code: (children) => <code translate="no">{children}</code> }}
          />
        </p>
        <CopyBlock
          label={m.agents_use_with_title({ title })}
          text={use}
          copyLabel={m.agents_copy()}
          isExpanded
        />
      </section>
    </div>
  )
}
