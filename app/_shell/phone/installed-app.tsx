'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'

/** Prepares an app of the home screen whenever it shows another page. Loads and does nothing in the window of a browser. */
export function InstalledApp({ waiting }: { waiting: number }) {
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another page is shown
  useEffect(() => {
    if (matchMedia('(display-mode: standalone)').matches)
      void import('./tidy').then(({ tidy }) => tidy(waiting)).catch(() => {})
  }, [waiting, path])
  return null
}
