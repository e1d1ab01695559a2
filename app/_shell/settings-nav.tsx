import { isBuilder } from '@/app/_web/viewer'
import { BackLink } from '@/components/ui/back-link'
import { m } from '@/lib/kernel/messages'
import { settingsPages, shownPages } from './account-pages'
import { CurrentLink, OnPages } from './current-link'

const item =
  'flex min-h-11 items-center rounded-control px-3 text-soft no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-wash aria-[current]:font-semibold aria-[current]:text-ink'

/** The navigation of the room "You", on its pages below the first one: a column beside the page, or on narrow screens the way back. */
export async function SettingsNav() {
  const pages = shownPages(settingsPages, await isBuilder())
  return (
    <OnPages pages={settingsPages.map(({ href }) => href)}>
      <nav aria-label={m.rooms_you()} data-settings-nav className="no-print lg:sticky lg:top-6 lg:self-start">
        {/* On a phone, the room itself is the list of its pages. A page that leads back to one of them needs one way back. */}
        <div className="lg:hidden [body:has([data-back]:not([data-back='/you']))_&]:hidden">
          <BackLink href="/you">{m.rooms_you()}</BackLink>
        </div>
        <p aria-hidden="true" className="pb-2 font-display text-lg font-semibold max-lg:hidden">
          {m.rooms_you()}
        </p>
        <ul className="-mx-3 flex flex-col gap-y-0.5 text-sm max-lg:hidden">
          {pages.map(({ href, label }) => (
            <li key={href}>
              <CurrentLink href={href} pages={[href]} className={item}>
                {label()}
              </CurrentLink>
            </li>
          ))}
        </ul>
      </nav>
    </OnPages>
  )
}
