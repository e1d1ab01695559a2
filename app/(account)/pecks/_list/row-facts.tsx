import { Fragment, type ReactNode } from 'react'
import { Time } from '@/components/ui/time'
import { visible } from '@/lib/kernel/text/visible'
import type { PeckWithDetails } from '../_peck/reads'
import { decidedAt, endOf, lastUse } from './row-words'

interface RowFactsProps extends PeckWithDetails {
  now: Date
  /** Who asked whom. Null: it stands above the list. */
  parties: ReactNode
}

/** Who asked whom, when the request was answered, and the state of its permission. */
export function RowFacts({ peck, details, now, parties }: RowFactsProps) {
  const facts = factsOf({ peck, details }, now)
  return (
    <p className="text-sm text-soft wrap-anywhere">
      {parties}
      {facts.map(({ name, words }, index) => (
        <Fragment key={name}>
          {index === 0 && parties === null ? null : <span aria-hidden="true"> · </span>}
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
    peck.status === 'pending' && { name: 'due', words: timed({ words: 'Expires', at: peck.expires_at }) },
    use !== null && { name: 'use', words: timed(use) },
    end !== null && { name: 'end', words: timed(end) },
    peck.audience !== undefined && {
      name: 'audience',
      words: `For the service ${visible(peck.audience)} (named by the requester)`,
    },
    details.signed && { name: 'signed', words: 'Signed with a passkey' },
    peck.reason !== null && {
      name: 'reason',
      words: (
        <>
          Reason: <bdi>“{visible(peck.reason)}”</bdi>
        </>
      ),
    },
  ].filter((fact) => fact !== false)
}
