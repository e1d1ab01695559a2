'use client'

import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { Link } from '@/components/ui/link'
import { accountPages } from './account-pages'

const item =
  'flex min-h-11 items-center rounded-control px-3 whitespace-nowrap text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink'

/**
 * The navigation of the account pages: a column beside the page, or on narrow screens a row above it that scrolls sideways. `waiting`: the
 * number of pecks that wait for an answer, such as "66" or "1,000+", or an empty text for none.
 */
export function AccountNav({ publicPage, waiting = '' }: { publicPage: string | null; waiting?: string }) {
  const path = usePathname()
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the path changes
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!list.current || !current) return
    // Scrolls the row only. `scrollIntoView` would also scroll the page.
    list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2
  }, [path])
  return (
    <nav
      aria-label="Account pages"
      className="no-print max-lg:-mx-5 max-lg:border-b max-lg:border-line max-lg:pb-2 lg:sticky lg:top-6 lg:self-start"
    >
      <ul
        ref={list}
        className="relative flex gap-x-1 text-sm max-lg:overflow-x-auto max-lg:mask-r-from-88% max-lg:px-3 max-lg:py-1 max-lg:[scrollbar-width:none] lg:-ms-3 lg:flex-col"
      >
        {accountPages.map(({ href, label }) => {
          const isCurrent = path === href || path.startsWith(`${href}/`)
          return (
            <li key={href}>
              <Link href={href} aria-current={isCurrent ? 'page' : undefined} className={item}>
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
              View public certificate
            </Link>
          </li>
        )}
        {/* Space at the end, so that the fading edge does not cover the last link. */}
        <li aria-hidden="true" className="w-10 shrink-0 lg:hidden" />
      </ul>
    </nav>
  )
}
