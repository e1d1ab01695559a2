'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { withBasePath } from '@/app/_web/base-path'
import { buttonClass } from './ui/button-class'

/**
 * Leads to the page it is on: with the query in the address, or without the query. Loads the whole page, because the router
 * keeps what it has already drawn.
 */
export function SamePageLink({ keepsQuery, children }: { keepsQuery: boolean; children: ReactNode }) {
  const path = withBasePath(usePathname())
  const query = useSearchParams().toString()
  return (
    <a href={keepsQuery && query !== '' ? `${path}?${query}` : path} className={buttonClass('primary')}>
      {children}
    </a>
  )
}
