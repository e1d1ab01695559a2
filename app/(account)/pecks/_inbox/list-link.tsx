import { Link } from '@/components/ui/link'
import { readersLocale } from '@/components/ui/time-words'
import { m } from '@/lib/kernel/messages'

const lists = {
  strangers: {
    get label() {
      return m.inbox_people_you_dont_know()
    },
    get explanation() {
      return m.inbox_people_you_dont_know_nobody_is()
    },
  },
  snoozed: {
    get label() {
      return m.inbox_later()
    },
    get explanation() {
      return m.inbox_each_comes_back_inbox_at_its()
    },
  },
}

interface ListLinkProps {
  list: keyof typeof lists
  /** How many requests the list has. */
  count: number
  /** Whether this page shows the list. */
  isHere: boolean
}

/** Leads to another list of waiting requests, and back: those of strangers beyond their budget, and those that the viewer answers later. */
export function ListLink({ list, count, isHere }: ListLinkProps) {
  if (count === 0 && !isHere) return null
  const { label, explanation } = lists[list]
  return (
    <p className="text-sm text-soft max-xl:mt-2">
      {isHere ? explanation : null}
      <Link
        href={isHere ? '/pecks' : `/pecks?list=${list}`}
        className="inline-flex min-h-6 items-center underline decoration-line hover:decoration-ink"
      >
        {isHere ? m.inbox_back_to_the_inbox() : `${label}: ${count.toLocaleString(readersLocale())}`}
      </Link>
    </p>
  )
}
