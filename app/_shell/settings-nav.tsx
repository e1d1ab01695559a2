import { m } from '@/lib/kernel/messages'
import { settingsPages } from './account-pages'
import { CurrentLink, OnPages } from './current-link'

const item =
  'flex min-h-11 items-center rounded-control px-3 text-soft no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-wash aria-[current]:font-semibold aria-[current]:text-ink'

/** The navigation of the settings, on their pages only: a column beside the page, or on narrow screens rows above it. */
export function SettingsNav() {
  return (
    <OnPages pages={settingsPages.map(({ href }) => href)}>
      <nav
        aria-label={m.rooms_settings()}
        data-settings-nav
        className="no-print max-lg:border-b max-lg:border-line max-lg:pb-2 lg:sticky lg:top-6 lg:self-start"
      >
        <p aria-hidden="true" className="pb-2 font-display text-lg font-semibold max-lg:hidden">
          {m.rooms_settings()}
        </p>
        <ul className="-mx-3 flex flex-wrap text-sm lg:flex-col lg:gap-y-0.5">
          {settingsPages.map(({ href, label }) => (
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
