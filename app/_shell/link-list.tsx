import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

interface LinkListProps {
  links: { href: string; label: () => string }[]
}

/** The public pages that the header leads to, or for a signed-in person the footer. */
export const publicPages = [
  { href: '/directory', label: m.shell_directory },
  { href: '/verify', label: m.shell_verify },
  { href: '/docs', label: m.shell_docs },
]

/** The links to public pages in the header and in the footer. */
export function LinkList({ links }: LinkListProps) {
  return (
    <ul className="-mx-2 flex flex-wrap text-sm">
      {links.map(({ href, label }) => (
        <li key={href}>
          <Link
            href={href}
            className="inline-flex min-h-11 items-center px-2 text-soft no-underline hover:text-ink"
          >
            {label()}
          </Link>
        </li>
      ))}
    </ul>
  )
}
