import Link from 'next/link'
import { Mark } from './duck'

const places = [
  { href: '/beak/openapi.json', label: 'Reference' },
  { href: '/docs/errors', label: 'Errors' },
]

/** The top of every page. */
export function SiteHeader() {
  return (
    <header className="border-b border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-5 py-3">
        <Link
          href="/"
          className="flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
        >
          <Mark />
          Beak
        </Link>
        <nav aria-label="Pages" className="ms-auto">
          <ul className="-mx-2 flex flex-wrap text-sm">
            {places.map(({ href, label }) => (
              <li key={href}>
                <a
                  href={href}
                  className="inline-flex min-h-11 items-center px-2 text-soft no-underline hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  )
}
