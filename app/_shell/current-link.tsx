'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'

const isAtOrBelow = (path: string, page: string) => path === page || path.startsWith(`${page}/`)

interface Target {
  href: string
  /** The addresses that the link stands for. Pages below them belong to it too. */
  pages: string[]
}

/** Returns the value of `aria-current` for a link: `page` on its own page, `true` on the other pages that it stands for. */
export function currentOf(path: string, { href, pages }: Target): 'page' | 'true' | undefined {
  if (path === href) return 'page'
  return isIn(path, pages) ? 'true' : undefined
}

/** Whether a page is one of these, or below one of them. */
const isIn = (path: string, pages: string[]): boolean => pages.some((page) => isAtOrBelow(path, page))

// What these show comes from the server, so that browsers load neither icons nor sentences for it.

interface CurrentLinkProps {
  href: string
  /** The addresses that the link stands for. */
  pages: string[]
  className: string
  children: ReactNode
}

/** A link of a navigation, which is marked on the pages that it stands for. */
export function CurrentLink({ href, pages, className, children }: CurrentLinkProps) {
  return (
    <Link href={href} aria-current={currentOf(usePathname(), { href, pages })} className={className}>
      {children}
    </Link>
  )
}

/** Shows its content only on these pages, or on all pages except these. */
export function OnPages({
  pages,
  isExcept = false,
  children,
}: {
  pages: string[]
  isExcept?: boolean
  children: ReactNode
}) {
  return isIn(usePathname(), pages) === isExcept ? null : children
}
