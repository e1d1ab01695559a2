import { ThemeSwitch } from './theme-switch'

/** The bottom of every page. */
export function SiteFooter() {
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-5">
        <p className="text-sm text-soft">Agents ask. People answer. Anybody can check.</p>
        <ThemeSwitch />
      </div>
    </footer>
  )
}
