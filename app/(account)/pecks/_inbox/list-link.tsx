import { Link } from '@/components/ui/link'

const lists = {
  strangers: {
    label: 'People you don’t know',
    explanation: 'People you don’t know. Nobody is mailed about these requests, and they expire here. ',
  },
  snoozed: {
    label: 'Later',
    explanation: 'Each comes back to the inbox at its time. You can also answer now. ',
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
        {isHere ? 'Back to the inbox' : `${label}: ${count.toLocaleString('en')}`}
      </Link>
    </p>
  )
}
