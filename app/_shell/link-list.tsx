import { Link } from '@/components/ui/link'

interface LinkListProps {
  links: { href: string; label: string }[]
}

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
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
