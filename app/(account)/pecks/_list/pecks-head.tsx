import { Ellipsis } from 'lucide'
import { ButtonLink, buttonClass } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Link } from '@/components/ui/link'
import { Popup } from '@/components/ui/popup'
import { PageHead } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

interface Tab {
  href: string
  /** Null for a page that another tab leads to. */
  label: (() => string) | null
  title: () => string
  lead?: () => string
  /** The tab that is marked on a page without an own one. */
  within?: string
}

const tabs = [
  { href: '/pecks', label: m.requests_waiting, title: m.requests_inbox },
  {
    href: '/pecks/history',
    label: m.requests_answered,
    title: m.requests_answered,
    lead: m.requests_requests_that_are_over_answered_withdrawn,
  },
  {
    href: '/pecks/sent',
    label: m.requests_sent,
    title: m.requests_sent_requests,
    lead: m.requests_sent_tab_intro,
  },
  { href: '/pecks/contacts', label: m.contacts_people, title: m.contacts_people, lead: m.contacts_lead },
  {
    href: '/pecks/blocked',
    label: null,
    title: m.requests_blocked_people,
    lead: m.requests_blocked_tab_intro,
    within: '/pecks/contacts',
  },
] as const satisfies Tab[]

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
  const tab: Tab = tabs.find(({ href }) => href === here) ?? tabs[0]
  const { title = tab.title(), lead = tab.lead?.() ?? '' } = own
  const action = (
    <ButtonLink href="/pecks/new" className={isCompact ? 'lg:order-last lg:ms-auto max-lg:hidden' : ''}>
      {m.requests_ask_somebody()}
    </ButtonLink>
  )
  if (isCompact)
    return (
      <div className="grow max-lg:contents lg:flex lg:items-center lg:gap-x-5 lg:border-b lg:border-line">
        <header className="contents">
          <h1 className="text-2xl!">{title}</h1>
          {action}
        </header>
        <MorePages here={here} />
        <Tabs here={here} className="max-lg:hidden" />
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

/** A narrow screen shows the list first. The other pages stand behind a button. */
function MorePages({ here }: Pick<PecksHeadProps, 'here'>) {
  const pages = [
    { href: '/pecks/new', label: m.requests_ask_somebody },
    ...tabs.filter(({ href, label }) => href !== here && label !== null),
  ]
  return (
    <Popup
      className="relative order-2 ms-auto lg:hidden"
      buttonClass={buttonClass('plain', 'w-11 px-0!')}
      label={<Icon of={Ellipsis} size={20} label={m.requests_more_pages()} />}
    >
      <nav
        aria-label={m.requests_more_pages()}
        className="absolute end-0 top-full z-20 mt-2 w-max rounded-control border border-line bg-surface p-1.5 shadow-card"
      >
        <ul>
          {pages.map(({ href, label }) => (
            <li key={href}>
              <Link
                href={href}
                className="flex min-h-11 items-center rounded-control px-3 text-sm no-underline hover:bg-sunken"
              >
                {label?.()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Popup>
  )
}

function Tabs({ here, className }: Pick<PecksHeadProps, 'here'> & { className: string }) {
  const within = (tabs as readonly Tab[]).find(({ href }) => href === here)?.within
  return (
    <nav aria-label={m.requests_inbox()} className={className}>
      <ul className="-mb-px flex flex-wrap gap-x-1 text-sm">
        {(tabs as readonly Tab[]).map(({ href, label }) =>
          label === null ? null : (
            <li key={href}>
              <Link
                href={href}
                aria-current={href === here ? 'page' : href === within ? 'true' : undefined}
                className="inline-flex min-h-11 items-center border-b-2 border-transparent px-3 text-soft no-underline forced-colors:border-[color:Canvas] hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink"
              >
                {label()}
              </Link>
            </li>
          ),
        )}
      </ul>
    </nav>
  )
}
