'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

const places = [
  { href: '/home', label: 'Home' },
  { href: '/pecks', label: 'Pecks' },
  { href: '/agents', label: 'Agents' },
  { href: '/certificate', label: 'Certificate' },
  { href: '/profile', label: 'Profile' },
  { href: '/security', label: 'Security' },
  { href: '/webhooks', label: 'Webhooks' },
  { href: '/audit', label: 'Audit log' },
  { href: '/account', label: 'Account' },
]

const item =
  'flex min-h-11 items-center rounded-control px-3 whitespace-nowrap text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink'

/**
 * Where one is among one's own pages: a column beside the page, or one line above it that scrolls sideways. `waiting`: how many
 * pecks wait for an answer, in few characters; empty for none.
 */
export function AccountNav({ publicPage, waiting = '' }: { publicPage: string | null; waiting?: string }) {
  const path = usePathname()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another place to show
  useEffect(() => {
    const here = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!list.current || !here) return
    // Sets where the line stands, and leaves alone where the page does.
    list.current.scrollLeft = here.offsetLeft - (list.current.clientWidth - here.offsetWidth) / 2
  }, [path])
  return (
    <nav
      aria-label="Your pages"
      className="no-print max-lg:-mx-5 max-lg:border-b max-lg:border-line max-lg:pb-2 lg:sticky lg:top-6 lg:self-start"
    >
      <ul
        ref={list}
        className="relative flex gap-x-1 text-sm max-lg:overflow-x-auto max-lg:mask-r-from-88% max-lg:px-3 max-lg:py-1 max-lg:[scrollbar-width:none] lg:-ms-3 lg:flex-col"
      >
        {places.map(({ href, label }) => {
          const isHere = path === href || path.startsWith(`${href}/`)
          return (
            <li key={href}>
              <Link href={href} aria-current={isHere ? 'page' : undefined} className={item}>
                {label}
                {href === '/pecks' && waiting !== '' ? (
                  <span className="ms-2 rounded-full bg-accent px-2 text-xs font-semibold text-accent-ink tabular-nums lg:ms-auto">
                    {waiting}
                    <span className="visually-hidden"> waiting</span>
                  </span>
                ) : null}
              </Link>
            </li>
          )
        })}
        {publicPage === null ? null : (
          <li className="lg:mt-3 lg:border-t lg:border-line lg:pt-3">
            <Link href={publicPage} className={item}>
              As others see it
            </Link>
          </li>
        )}
        {/* Room to scroll the last one out of the fading edge. */}
        <li aria-hidden="true" className="w-10 shrink-0 lg:hidden" />
      </ul>
    </nav>
  )
}
