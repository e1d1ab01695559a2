import { personMark, personName } from '@beak/decision/person-name'
import { BadgeCheck } from 'lucide'
import type { ResponseOf } from '@/app/beak/_api/lines'
import { Duck } from '@/components/duck'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Pill } from '@/components/ui/surface'
import { Water } from '@/components/water'
import { m } from '@/lib/kernel/messages'
import { sameLook } from '@/lib/kernel/text/same-look'
import { tierLabel } from '@/lib/kernel/text/tier-words'
import { readersLocale } from '@/lib/kernel/text/time-words'

type Directory = ResponseOf<'GET /beak/spaceducks'>
type Duckling = Directory['items'][number]

interface FlockProps {
  ducklings: Duckling[]
  /** The viewer, to mark their entry. */
  self: Directory['self']
}

const monthWords = (month: string) =>
  new Intl.DateTimeFormat(readersLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-01`),
  )

/** The entries of the directory, with a duck on water for each. */
export function Flock({ ducklings, self }: FlockProps) {
  // The ids in the directory are masked: the name and the last four characters identify the viewer.
  const isSelf = ({ duckling_id, display_name }: Duckling) =>
    self !== undefined &&
    display_name === self.display_name &&
    duckling_id.slice(-4) === self.duckling_id.slice(-4)
  const lookOf = (person: Pick<Duckling, 'display_name' | 'full_name'>) => sameLook(personName(person))
  const looks = ducklings.map(lookOf)
  const twinWords = (duckling: Duckling): string | null => {
    const look = lookOf(duckling)
    if (self !== undefined && !isSelf(duckling) && look === sameLook(personName(self)))
      return m.directory_same_name_as_you()
    return looks.filter((other) => other === look).length > 1 ? m.directory_same_name() : null
  }
  return (
    <ul className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-4">
      {ducklings.map((duckling) => (
        <DucklingEntry
          key={`${duckling.duckling_id} ${duckling.display_name}`}
          duckling={duckling}
          isSelf={isSelf(duckling)}
          twin={twinWords(duckling)}
        />
      ))}
    </ul>
  )
}

interface EntryProps {
  duckling: Duckling
  isSelf: boolean
  /** Says that somebody else has the same name, or one that looks the same. */
  twin: string | null
}

function DucklingEntry({ duckling, isSelf, twin }: EntryProps) {
  return (
    <li className="min-w-0 pb-10">
      <Duck id={duckling.duckling_id} size={92} bare className="-mb-6 ms-1" />
      <Water waves={3} className="relative" />
      <div className="mt-2 pe-5">
        <p className="font-display text-lg leading-snug font-semibold wrap-anywhere">
          <bdi translate="no">{personName(duckling)}</bdi>
        </p>
        {duckling.handle === undefined ? (
          <p translate="no" className="text-sm text-soft">
            {personMark(undefined, duckling.duckling_id)}
          </p>
        ) : (
          <Link
            href={`/@${duckling.handle}`}
            className="inline-flex min-h-6 items-center text-sm text-accent underline wrap-anywhere"
          >
            <bdi translate="no">@{duckling.handle}</bdi>
          </Link>
        )}
        {twin === null ? null : <p className="text-sm font-semibold text-warn">{twin}</p>}
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5">
          <Pill>{tierLabel(duckling.trust_tier)}</Pill>
          {duckling.certified ? (
            <Pill tone="good">
              <Icon of={BadgeCheck} size={14} />
              {m.directory_certified()}
            </Pill>
          ) : null}
          {isSelf ? (
            <span className="rounded-full bg-ink px-2.5 py-0.5 text-xs font-semibold text-ground">
              {m.directory_you()}
            </span>
          ) : null}
        </p>
        <p className="mt-2 text-sm text-soft">{joinedWords(duckling)}</p>
      </div>
    </li>
  )
}

function joinedWords({ joined, bonded_agents: count }: Duckling): string {
  const since = monthWords(joined)
  return count === 0
    ? m.directory_joined({ month: since })
    : m.directory_joined_with_agents({ month: since, count })
}
