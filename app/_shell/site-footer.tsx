import { type IconNode, Monitor, Moon, Sun } from 'lucide'
import { optionalViewer } from '@/app/_web/viewer'
import { Icon } from '@/components/ui/icon'
import { PlainForm } from '@/components/ui/plain-form'
import { m } from '@/lib/kernel/messages'
import { chooseTheme } from './actions'
import { LinkList, publicPages } from './link-list'
import { OfflineNotice } from './offline-notice'
import { chosenTheme, type Theme } from './theme'

const choices: { theme: Theme; label: () => string; icon: IconNode }[] = [
  { theme: 'light', label: m.theme_light, icon: Sun },
  { theme: 'dark', label: m.theme_dark, icon: Moon },
  { theme: 'system', label: m.theme_system, icon: Monitor },
]

/** Chooses the light theme, the dark theme or the theme of the system. Works without JavaScript. */
async function ThemeSwitch() {
  const current = await chosenTheme()
  return (
    <fieldset className="inline-flex rounded-full border border-line p-0.5">
      <legend className="visually-hidden">{m.theme_label()}</legend>
      {choices.map(({ theme, label, icon }) => (
        <PlainForm key={theme} action={chooseTheme.bind(null, theme)}>
          <button
            type="submit"
            aria-pressed={current === theme}
            title={label()}
            className="grid size-9 place-items-center rounded-full text-soft aria-pressed:bg-sunken aria-pressed:text-ink hover:text-ink"
          >
            <Icon of={icon} size={17} />
            <span className="visually-hidden">{label()}</span>
          </button>
        </PlainForm>
      ))}
    </fieldset>
  )
}

const links = [
  { href: '/status', label: m.shell_status },
  { href: '/receipts', label: m.shell_check_a_receipt },
  { href: '/newsletter', label: m.shell_newsletter },
  { href: '/support', label: m.shell_support },
]

const linksOfBuilder = [
  { href: '/clients', label: m.shell_clients },
  { href: '/docs/errors', label: m.shell_error_codes },
  { href: '/numbers', label: m.shell_numbers },
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
            <LinkList
              links={[...(viewer ? linksOfViewer : []), ...links, ...(viewer?.builder ? linksOfBuilder : [])]}
            />
          </nav>
          <ThemeSwitch />
        </div>
      </footer>
      <OfflineNotice />
    </>
  )
}
