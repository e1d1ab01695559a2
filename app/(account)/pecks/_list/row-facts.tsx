import { Fragment, type ReactNode } from 'react'
import { Sentence } from '@/components/sentence'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { visible } from '@/lib/kernel/text/visible'
import type { PeckWithDetails } from '../_peck/reads'
import { decidedAt, endOf, lastUse } from './row-words'

interface RowFactsProps extends PeckWithDetails {
  now: Date
  /** Who asked whom. */
  parties: ReactNode
}

/** Who asked whom, when the request was answered, and the state of its permission. */
export function RowFacts({ peck, details, now, parties }: RowFactsProps) {
  const facts = factsOf({ peck, details }, now)
  return (
    <p className="text-sm text-soft wrap-anywhere">
      {parties}
      {facts.map(({ name, words }) => (
        <Fragment key={name}>
          <span aria-hidden="true"> · </span>
          <span>{words}</span>
        </Fragment>
      ))}
    </p>
  )
}

function factsOf({ peck, details }: PeckWithDetails, now: Date): { name: string; words: ReactNode }[] {
  const decided = decidedAt(peck)
  const [use, end] = [lastUse(peck), endOf(peck, details)]
  const timed = ({ words, at }: { words: string; at: string | null }) => (
    <>
      {words} {at === null ? null : <Time at={at} now={now} />}
    </>
  )
  return [
    { name: 'decided', words: timed({ words: decided.word, at: decided.at }) },
    peck.status === 'pending' && {
      name: 'due',
      words: timed({ words: m.requests_expires(), at: peck.expires_at }),
    },
    use !== null && { name: 'use', words: timed(use) },
    end !== null && { name: 'end', words: timed(end) },
    peck.audience !== undefined && {
      name: 'audience',
      words: m.requests_for_service({ audience: visible(peck.audience) }),
    },
    details.signed && { name: 'signed', words: m.requests_signed_with_a_passkey() },
    peck.reason !== null && {
      name: 'reason',
      words: (
        <Sentence
          of={m.requests_reason}
          parts={{ reason: () => <bdi translate="no">“{visible(peck.reason ?? '')}”</bdi> }}
        />
      ),
    },
  ].filter((fact) => fact !== false)
}
