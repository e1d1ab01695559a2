'use client'

import Link from 'next/link'
import { usePathname } from 'next/navigation'

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

/** Where one is among one's own pages. `waiting`: how many pecks wait for an answer, in few characters; empty for none. */
export function AccountNav({ waiting = '' }: { waiting?: string }) {
  const path = usePathname()
  return (
    <nav aria-label="Your pages" className="no-print">
      <ul className="flex flex-wrap gap-x-1 text-sm lg:flex-col">
        {places.map(({ href, label }) => {
          const isHere = path === href || path.startsWith(`${href}/`)
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={isHere ? 'page' : undefined}
                className="flex min-h-11 items-center rounded-control px-3 text-soft no-underline hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-wash aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
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
      </ul>
    </nav>
  )
}
