import { Link } from '@/components/ui/link'
import { Pill, Section, type Tone } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { type AskerCard, decisionWords } from './card'

type Decision = AskerCard['decisions'][number]

const outcomes: Record<Decision['outcome'], { label: string; tone: Tone }> = {
  approved: {
    get label() {
      return m.askers_approved()
    },
    tone: 'good',
  },
  rejected: {
    get label() {
      return m.askers_rejected()
    },
    tone: 'bad',
  },
  // The asker may have ended it, too.
  revoked: {
    get label() {
      return m.askers_ended_early()
    },
    tone: 'neutral',
  },
}

/** What the viewer decided on requests of the person and the person's agents: the numbers and the newest decisions. */
export function Decisions({ card, now }: { card: AskerCard; now: Date }) {
  return (
    <Section id="decisions" title={m.askers_your_decisions()} lead={decisionWords(card)}>
      {card.decisions.length === 0 ? null : (
        <ul aria-labelledby="decisions">
          {card.decisions.map((decision) => (
            <DecisionRow key={decision.peck_id} decision={decision} now={now} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function DecisionRow({
  decision: { peck_id, action, outcome, by_rule, at },
  now,
}: {
  decision: Decision
  now: Date
}) {
  const { label, tone } = outcomes[outcome]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line py-2.5 text-sm first:border-t-0">
      <Link
        href={`/pecks/${peck_id}`}
        className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
      >
        {actionLabel(action)}
      </Link>
      <Pill tone={tone}>{label}</Pill>
      {by_rule ? <span className="text-soft">{m.askers_by_your_rule()}</span> : null}
      <span className="ms-auto text-soft">
        <Time at={at} now={now} />
      </span>
    </li>
  )
}
