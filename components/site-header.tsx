import Link from 'next/link'
import { findViewer, PageProblem } from '@/lib/web/viewer'
import { Duck, Mark } from './duck'
import { ButtonLink } from './ui/button'

const places = [
  { href: '/directory', label: 'Directory' },
  { href: '/verify', label: 'Verify' },
  { href: '/numbers', label: 'Numbers' },
  { href: '/docs/api', label: 'API' },
]

/** The top of every public page. */
export async function SiteHeader() {
  // The ways around the house stay while the database is away.
  const viewer = await findViewer().catch((error: unknown) => {
    if (error instanceof PageProblem) return null
    throw error
  })
  return (
    <header className="no-print border-b border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
        <Link
          href="/"
          className="flex min-h-11 items-center gap-2 font-display text-xl font-bold tracking-tight no-underline"
        >
          <Mark />
          Beak
        </Link>
        <nav aria-label="Public pages" className="order-last w-full sm:order-none sm:w-auto">
          <ul className="-mx-2 flex flex-wrap text-sm">
            {places.map(({ href, label }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="inline-flex min-h-11 items-center px-2 text-soft no-underline hover:text-ink"
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ms-auto flex items-center gap-3">
          {viewer ? (
            <Link
              href="/home"
              className="flex min-h-11 items-center gap-2 text-sm font-semibold no-underline"
            >
              <Duck id={viewer.duckling_id} size={32} />
              {viewer.display_name}
            </Link>
          ) : (
            <>
              <Link
                href="/signin"
                className="inline-flex min-h-11 items-center px-2 text-sm font-semibold no-underline"
              >
                Sign in
              </Link>
              <ButtonLink href="/signup">Sign up</ButtonLink>
            </>
          )}
        </div>
      </div>
    </header>
  )
}
