import { Duck } from '@/components/duck'
import { ButtonLink } from '@/components/ui/button'

const steps = [
  { title: 'Register it', text: 'Choose a name and what it may do. It gets a key of its own.' },
  {
    title: 'Let it bond',
    text: 'It shows its key once, with a handshake. Now it is yours, and anybody can check that.',
  },
  { title: 'Let it ask', text: 'It asks ducklings for permission. They see that you stand behind it.' },
]

/** Before the first agent: what one is good for, in three steps, behind a duck that has nobody following yet. */
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
      <h2 className="mt-6">Nobody follows you yet</h2>
      <ol className="mt-5 grid gap-x-8 gap-y-6 sm:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <p className="font-display text-2xl font-semibold text-soft tabular-nums">{index + 1}</p>
            <h3 className="mt-1">{title}</h3>
            <p className="mt-1 text-sm text-soft">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-8">
        <ButtonLink kind="primary" href="/agents/new">
          Register your first agent
        </ButtonLink>
      </p>
    </div>
  )
}
