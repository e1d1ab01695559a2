import { ActionWords, KeptText } from '@/components/kept-text'
import { Sentence } from '@/components/sentence'
import { Link } from '@/components/ui/link'
import { Section } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { actionLabel } from '@/lib/kernel/text/shown-action'
import { ValuesLine } from '../../pecks/_list/values-line'
import type { ShownPeck } from '../../pecks/_peck/reads'
import { type Rehearsal, readShown } from './reads'
import { whySentence } from './words'

const shownMax = 6

interface RehearsalProps {
  rehearsal: Rehearsal
  /** Whose requests these are. */
  name: string
  now: Date
  /** The rule exists, and may have answered these requests. */
  isRule: boolean
}

/** What the rule would have answered in the last 30 days, or what fits a rule that exists, and the closest requests that it leaves to the person. */
export async function RehearsalSection({ rehearsal, name, now, isRule }: RehearsalProps) {
  const { days, asked, answered, amount } = rehearsal
  const answers = rehearsal.answers.slice(0, shownMax)
  const others = rehearsal.others.slice(0, shownMax)
  const shown = await readShown([...answers, ...others].map(({ peck_id }) => peck_id))
  return (
    <Section id="rehearsal" title={isRule ? m.rules_fits_title() : m.rules_would_have_answered_title()}>
      <p className="max-w-2xl wrap-anywhere">
        <Sentence
          of={
            isRule
              ? amount === null
                ? m.rules_fits_result
                : m.rules_fits_result_amount
              : amount === null
                ? m.rules_rehearsal_result
                : m.rules_would_have_answered_amount
          }
          with={{ days, asked, answered, name, amount: amount ?? '' }}
          parts={{
            strong: (children) => <strong className="tabular-nums">{children}</strong>,
          }}
        />
      </p>
      {answers.length + others.length === 0 ? null : (
        <details className="mt-1">
          <summary className="inline-flex min-h-11 items-center text-sm font-semibold underline">
            {m.rules_show_requests()}
          </summary>
          {answers.length === 0 ? null : (
            <ul
              aria-label={isRule ? m.rules_fits_requests() : m.rules_would_answer_these()}
              className="mt-3 max-w-2xl"
            >
              {answers.map((one) => (
                <Rehearsed key={one.peck_id} one={one} shown={shown.get(one.peck_id)} now={now} />
              ))}
            </ul>
          )}
          <More count={answered - answers.length} />
          {others.length === 0 ? null : (
            <>
              <h3 className="mt-8">{m.rules_would_leave_to_you()}</h3>
              <ul aria-label={m.rules_would_leave_to_you()} className="mt-2 max-w-2xl">
                {others.map((one) => (
                  <Rehearsed
                    key={one.peck_id}
                    one={one}
                    shown={shown.get(one.peck_id)}
                    now={now}
                    why={one.why}
                  />
                ))}
              </ul>
              <More count={asked - answered - others.length} />
            </>
          )}
        </details>
      )}
    </Section>
  )
}

function More({ count }: { count: number }) {
  return count > 0 ? <p className="mt-2 text-sm text-soft">{m.rules_and_more({ count })}</p> : null
}

interface RehearsedProps {
  one: Rehearsal['answers'][number]
  shown: ShownPeck | undefined
  now: Date
  why?: Rehearsal['others'][number]['why']
}

function Rehearsed({ one, shown, now, why = [] }: RehearsedProps) {
  return (
    <li className="border-t border-line py-2.5 first:border-t-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <Link
          href={`/pecks/${one.peck_id}`}
          className="inline-flex min-h-6 items-center font-semibold no-underline wrap-anywhere hover:underline"
        >
          <ActionWords words={shown?.words.title ?? actionLabel(one.action)} />
        </Link>
        <span className="text-sm text-soft">
          {one.cost === null ? null : (
            <span className="tabular-nums">
              <bdi translate="no">{one.cost}</bdi>
              {' · '}
            </span>
          )}
          <Time at={one.created_at} now={now} />
        </span>
      </div>
      {shown === undefined ? null : <ValuesLine display={shown.details.display} />}
      {why.length === 0 ? null : (
        <p className="mt-1 text-sm text-soft wrap-anywhere">
          <KeptText text={whySentence(why)} />
        </p>
      )}
    </li>
  )
}
