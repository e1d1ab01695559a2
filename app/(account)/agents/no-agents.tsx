import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'

const steps = [
  { title: m.agents_register_an_agent, text: m.agents_step_register_text },
  { title: m.agents_step_connect, text: m.agents_step_connect_text },
  { title: m.agents_let_it_ask, text: m.agents_it_asks_people_for_permission_they },
]

/** Shown before the first agent: how to get one, in three steps. */
export function NoAgents({ operatorId }: { operatorId: string }) {
  return (
    <div className="border-y border-line py-10">
      <div aria-hidden="true" className="flex items-end">
        {['one', 'four', 'eight'].map((id, index) => (
          <span key={id} className="me-2 rounded-full border border-dashed border-edge p-0.5">
            <Duck id={id} size={40 + index * 8} className="opacity-25 grayscale" />
          </span>
        ))}
        <Duck id={operatorId} size={96} />
      </div>
      <h2 className="mt-6">{m.agents_no_agents_yet()}</h2>
      <ol className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title()}>
            <p className="font-display text-2xl font-semibold text-soft tabular-nums">{index + 1}</p>
            <h3 className="mt-1">{title()}</h3>
            <p className="mt-1 text-sm text-soft">{text()}</p>
          </li>
        ))}
      </ol>
      <p className="mt-8">
        <ButtonLink kind="primary" href="/agents/new">
          {m.agents_register_your_first_agent()}
        </ButtonLink>
      </p>
    </div>
  )
}
