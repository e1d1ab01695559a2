'use client'

import { usePathname } from 'next/navigation'
import { useEffect } from 'react'
import { forgetViewer, rememberViewer } from '@/components/session-marks'

/** Remembers in this tab that somebody is signed in, so that the sign-in page can say when the session ended elsewhere. */
export function SessionTrace({ isSignedIn }: { isSignedIn: boolean }) {
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each page, because another tab may have signed out meanwhile
  useEffect(() => {
    if (isSignedIn) rememberViewer()
  }, [isSignedIn, path])
  return null
}

/** On the page after a sign-out: tells the other tabs. */
export function SignedOutTrace() {
  useEffect(forgetViewer, [])
  return null
}
