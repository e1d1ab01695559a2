import { ButtonLink } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

const tabs = [
  {
    href: '/pecks',
    get label() {
      return m.requests_waiting()
    },
    get title() {
      return m.requests_inbox()
    },
    lead: '',
  },
  {
    href: '/pecks/grants',
    get label() {
      return m.requests_permissions()
    },
    get title() {
      return m.requests_permissions()
    },
    lead: '',
  },
  {
    href: '/pecks/sent',
    get label() {
      return m.requests_sent()
    },
    get title() {
      return m.requests_sent_requests()
    },
    get lead() {
      return m.requests_sent_tab_intro()
    },
  },
  {
    href: '/pecks/history',
    get label() {
      return m.requests_history()
    },
    get title() {
      return m.requests_history()
    },
    get lead() {
      return m.requests_requests_that_are_over_answered_withdrawn()
    },
  },
  {
    href: '/pecks/contacts',
    get label() {
      return m.contacts_contacts()
    },
    get title() {
      return m.contacts_contacts()
    },
    get lead() {
      return m.contacts_lead()
    },
  },
  {
    href: '/pecks/blocked',
    get label() {
      return m.requests_tab_blocked()
    },
    get title() {
      return m.requests_blocked_people()
    },
    get lead() {
      return m.requests_blocked_tab_intro()
    },
  },
] as const

interface PecksHeadProps {
  here: (typeof tabs)[number]['href']
  /** Instead of the title and the explanation in the list. */
  title?: string
  lead?: string
  /** Without the explanation, for a page that needs the height. */
  isCompact?: boolean
}

/** The head of the pages of the inbox, with links to each of them. */
export function PecksHead({ here, isCompact = false, ...own }: PecksHeadProps) {
  const tab = tabs.find(({ href }) => href === here) ?? tabs[0]
  const { title = tab.title, lead = tab.lead } = own
  const action = (
    <ButtonLink href="/pecks/new" className={isCompact ? 'lg:order-last lg:ms-auto' : ''}>
      {m.requests_new_request()}
    </ButtonLink>
  )
  if (isCompact)
    return (
      <div className="grow lg:flex lg:items-center lg:gap-x-5 lg:border-b lg:border-line">
        <header className="flex items-center justify-between gap-x-4 lg:contents">
          <h1 className="lg:text-2xl!">{title}</h1>
          {action}
        </header>
        <Tabs here={here} className="max-lg:border-b max-lg:border-line" />
      </div>
    )
  return (
    <>
      <PageHead title={title} lead={lead}>
        {action}
      </PageHead>
      <Tabs here={here} className="-mt-2 mb-4 border-b border-line" />
    </>
  )
}

function Tabs({ here, className }: Pick<PecksHeadProps, 'here'> & { className: string }) {
  return (
    <nav aria-label={m.requests_inbox()} className={className}>
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
