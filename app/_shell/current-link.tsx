'use client'

import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { currentOf, isIn } from './current'

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
