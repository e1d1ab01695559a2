'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { withBasePath } from '@/components/base-path'
import { buttonClass } from '@/components/ui/button-class'

/**
 * Links to the current page, with or without its query. A plain link, because the router would show the page that it has
 * cached.
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
