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
  const action = (
    <ButtonLink href="/pecks/new" className={isCompact ? 'lg:order-last lg:ms-auto' : ''}>
      New request
    </ButtonLink>
  )
  if (isCompact)
    return (
      <div className="grow lg:flex lg:items-center lg:gap-x-5 lg:border-b lg:border-line">
        <header className="flex items-center justify-between gap-x-4 lg:contents">
          <h1 className="lg:text-2xl!">Pecks</h1>
          {action}
        </header>
        <Tabs here={here} className="max-lg:border-b max-lg:border-line" />
      </div>
    )
  return (
    <>
      <PageHead title="Pecks" lead={lead}>
        {action}
      </PageHead>
      <Tabs here={here} className="-mt-2 mb-4 border-b border-line" />
    </>
  )
}

function Tabs({ here, className }: Pick<PecksHeadProps, 'here'> & { className: string }) {
  return (
    <nav aria-label="Pecks" className={className}>
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
  )
}
