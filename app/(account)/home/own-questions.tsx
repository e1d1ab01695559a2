import { freeTextParam } from '@beak/decision/free-text'
import { visible } from '@beak/decision/visible'
import { Duck } from '@/components/duck'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../pecks/_peck/reads'
import { targetName } from '../pecks/_peck/words'

/** What the viewer has asked friends lately in own words, and what they said. */
export function OwnQuestions({ pecks }: { pecks: Peck[] }) {
  if (pecks.length === 0) return null
  return (
    <ul aria-label={m.home_what_you_asked()}>
      {pecks.map((peck) => (
        <li key={peck.peck_id} className="border-t border-line first:border-t-0">
          <Link
            href={`/pecks/${peck.peck_id}`}
            className="flex items-center gap-4 rounded-control py-3 no-underline hover:bg-sunken"
          >
            <Duck id={peck.target_duckling_id} size={40} />
            <span className="min-w-0 wrap-anywhere">
              <Sentence
                of={m.home_you_asked}
                with={{ name: targetName(peck) }}
                parts={{
                  words: () => <bdi translate="no">“{visible(String(peck.params[freeTextParam]))}”</bdi>,
                }}
              />
              <span className="block text-sm font-semibold">
                <Answer peck={peck} />
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Answer({ peck }: { peck: Peck }) {
  const name = { name: targetName(peck) }
  if (peck.status === 'pending') return m.home_no_answer_yet()
  if (peck.status === 'approved') return <Sentence of={m.requests_answer_yes} with={name} />
  const reason = () => <bdi translate="no">{visible(peck.reason ?? '')}</bdi>
  return <Sentence of={m.requests_answer_no} with={name} parts={{ reason }} />
}
