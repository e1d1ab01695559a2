import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'

const tabs = [
  { href: '/pecks', label: 'Inbox' },
  { href: '/pecks/grants', label: 'Permissions' },
  { href: '/pecks/sent', label: 'Sent' },
  { href: '/pecks/history', label: 'History' },
  { href: '/pecks/blocked', label: 'Blocked' },
] as const

interface PecksHeadProps {
  here: (typeof tabs)[number]['href']
  /** Without the explanation, for a page that needs the height. */
  isCompact?: boolean
}

const lead = 'A peck is a request for permission. You decide, and you can revoke the permission later.'

/** The head of the pages about pecks, with links to each of them. */
export function PecksHead({ here, isCompact = false }: PecksHeadProps) {
  return (
    <>
      <div className={isCompact ? '-mb-7' : undefined}>
        <PageHead title="Pecks" lead={isCompact ? undefined : lead}>
          <ButtonLink href="/pecks/new">New request</ButtonLink>
        </PageHead>
      </div>
      <nav aria-label="Pecks" className={`-mt-2 border-b border-line ${isCompact ? 'lg:mt-0' : 'mb-4'}`}>
        <ul className="-mb-px flex flex-wrap gap-x-1 text-sm">
          {tabs.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={href === here ? 'page' : undefined}
                className="inline-flex min-h-11 items-center border-b-2 border-transparent px-3 text-soft no-underline hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}
