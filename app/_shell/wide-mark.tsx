'use client'

import { usePathname } from 'next/navigation'

/**
 * Marks the inbox, which uses the whole width. Stands before the header, because the browser may show the header while the inbox is still
 * on its way, and nothing may move then.
 */
export function WideMark() {
  return usePathname() === '/pecks' ? <span hidden data-wide /> : null
}
