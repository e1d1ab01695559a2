import { ButtonLink } from '@/components/ui/button'
import { m } from '@/lib/kernel/messages'

interface PagerProps {
  here: string
  cursor: string
  next: string | null
  /** The parameter of the address. A page with several lists has one for each. */
  name?: string
}

/** Links to the first and the next page of a list. */
export function Pager({ here, cursor, next, name = 'cursor' }: PagerProps) {
  if (cursor === '' && next === null) return null
  const separator = here.includes('?') ? '&' : '?'
  return (
    <nav aria-label={m.requests_pages()} className="mt-8 flex flex-wrap gap-3">
      {cursor === '' ? null : <ButtonLink href={here}>{m.requests_newest()}</ButtonLink>}
      {next === null ? null : (
        <ButtonLink href={`${here}${separator}${name}=${next}`}>{m.requests_older()}</ButtonLink>
      )}
    </nav>
  )
}
