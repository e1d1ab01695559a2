import { personName } from '@beak/decision/person-name'
import { BadgeCheck } from 'lucide'
import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Facts } from '@/components/ui/surface'
import { Time } from '@/components/ui/time'
import { m } from '@/lib/kernel/messages'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { OwnerLine } from '../../_peck/owner-line'
import type { AskerCard } from './card'

interface PersonHeadProps {
  person: AskerCard['person']
  now: Date
}

/** The name of the person, with what tells the person from others with the same name. */
export function PersonHead({ person, now }: PersonHeadProps) {
  return (
    <header className="mb-8 flex items-center gap-4">
      <Duck id={person.duckling_id} size={64} />
      <div className="min-w-0">
        <h1 className="wrap-anywhere">
          <bdi translate="no">{personName(person)}</bdi>
        </h1>
        <p className="mt-1 text-sm text-soft">
          <OwnerLine owner={person} now={now.getTime()} />
        </p>
      </div>
    </header>
  )
}

/** What the service knows of the person. */
export function PersonFacts({ card, now }: { card: AskerCard; now: Date }) {
  const { person, last_asked_at: lastAsked } = card
  const facts: { name: string; value: ReactNode }[] = [
    ...(person.handle === undefined
      ? []
      : [
          { name: m.askers_fact_handle(), value: <Handle handle={person.handle} isListed={person.listed} /> },
        ]),
    {
      name: m.askers_fact_id(),
      value: (
        <span translate="no" className="font-mono text-xs">
          {person.duckling_id}
        </span>
      ),
    },
    { name: m.askers_fact_tier(), value: tierLabel(person.trust_tier) },
    { name: m.askers_fact_certificate(), value: <Certificate id={person.cert_id} /> },
    { name: m.askers_fact_member_since(), value: <Time at={person.member_since} dateOnly /> },
    {
      name: m.askers_fact_last_request(),
      value: lastAsked === null ? m.askers_fact_long_ago() : <Time at={lastAsked} now={now} />,
    },
  ]
  return <Facts facts={facts} />
}

/** The page of a handle is public only while the directory lists the person. */
function Handle({ handle, isListed }: { handle: string; isListed: boolean }) {
  if (!isListed) return <bdi translate="no">@{handle}</bdi>
  return (
    <Link href={`/@${handle}`} className="underline decoration-line hover:decoration-ink">
      <bdi translate="no">@{handle}</bdi>
    </Link>
  )
}

function Certificate({ id }: { id: string | null }) {
  if (id === null) return m.askers_fact_none()
  return (
    <Link
      href={`/verify/${id}`}
      className="inline-flex min-h-6 items-center gap-1.5 underline decoration-line hover:decoration-ink"
    >
      <Icon of={BadgeCheck} size={16} className="text-good" />
      {m.askers_view_certificate()}
    </Link>
  )
}
