import { optionalViewer } from '@/app/_web/viewer'
import { m } from '@/lib/kernel/messages'
import { LinkList, publicPages } from './link-list'
import { OfflineNotice } from './offline-notice'
import { ThemeSwitch } from './theme-switch'

const links = [
  { href: '/status', label: m.shell_status },
  { href: '/receipts', label: m.shell_check_a_receipt },
  { href: '/clients', label: m.shell_clients },
  { href: '/docs/errors', label: m.shell_error_codes },
  { href: '/newsletter', label: m.shell_newsletter },
  { href: '/support', label: m.shell_support },
]

/** The header of a signed-in person has no place for these. */
const linksOfViewer = [{ href: '/', label: m.shell_about_beak }, ...publicPages]

/**
 * The footer of every page, with the notice of a lost connection. In the root layout, every page would load the code of the page for unknown
 * addresses with that notice.
 */
export async function SiteFooter() {
  const viewer = await optionalViewer()
  return (
    <>
      <footer className="no-print mt-auto border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-wrap [body:has([data-wide])_&]:max-w-[96rem] items-center justify-between gap-x-8 gap-y-3 px-5 py-5">
          <nav aria-label={m.shell_more_pages()}>
            <LinkList links={viewer ? [...linksOfViewer, ...links] : links} />
          </nav>
          <ThemeSwitch />
        </div>
      </footer>
      <OfflineNotice />
    </>
  )
}
