import { Link } from '@/components/ui/link'

interface StrangersLinkProps {
  /** How many requests wait in the second list. */
  count: number
  /** Whether this page shows the second list. */
  isHere: boolean
}

/** Leads to the requests of people whom the viewer does not know, beyond their budget, and back. */
export function StrangersLink({ count, isHere }: StrangersLinkProps) {
  if (count === 0 && !isHere) return null
  return (
    <p className="mt-2 text-sm text-soft">
      {isHere ? 'People you don’t know. Nobody is mailed about these requests, and they expire here. ' : null}
      <Link
        href={isHere ? '/pecks' : '/pecks?list=strangers'}
        className="inline-flex min-h-6 items-center underline decoration-line hover:decoration-ink"
      >
        {isHere ? 'Back to the inbox' : `People you don’t know: ${count.toLocaleString('en')}`}
      </Link>
    </p>
  )
}
