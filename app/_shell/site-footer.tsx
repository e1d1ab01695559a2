import { LinkList } from './link-list'
import { OfflineNotice } from './offline-notice'
import { ThemeSwitch } from './theme-switch'

const links = [
  { href: '/status', label: 'Status' },
  { href: '/receipts', label: 'Check a receipt' },
  { href: '/clients', label: 'Clients' },
  { href: '/docs/errors', label: 'Error codes' },
  { href: '/newsletter', label: 'Newsletter' },
  { href: '/support', label: 'Support' },
]

/**
 * The footer of every page, with the notice of a lost connection. In the root layout, every page would load the code of the page for unknown
 * addresses with that notice.
 */
export function SiteFooter() {
  return (
    <>
      <footer className="no-print mt-auto border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-3 px-5 py-5">
          <nav aria-label="More pages">
            <LinkList links={links} />
          </nav>
          <ThemeSwitch />
        </div>
      </footer>
      <OfflineNotice />
    </>
  )
}
