import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

/** With one or two items more, a "Show all" would hide less than it takes. */
const surplusMin = 3

/** Returns the first items of a long list, or the whole list when it has at most two more. */
export const shortened = <T,>(items: T[], first: number): T[] =>
  items.length < first + surplusMin ? items : items.slice(0, first)

interface ShowAllProps {
  isAllShown: boolean
  children: string
}

/** Leads to the page with the whole lists, or back. A link, so that the server renders only what is asked for, also without scripts. */
export function ShowAll({ isAllShown, children }: ShowAllProps) {
  return (
    <Link
      href={isAllShown ? '/home' : '/home?show=all'}
      scroll={false}
      className="inline-flex min-h-11 items-center text-sm font-semibold underline"
    >
      {isAllShown ? m.home_show_fewer() : children}
    </Link>
  )
}
