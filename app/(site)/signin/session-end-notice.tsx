'use client'

import { useEffect, useState } from 'react'
import { onSignOutElsewhere, type SessionEnd, takeSessionEnd } from '@/components/session-marks'
import { Notice } from '@/components/ui/surface'

const titles: Record<SessionEnd, string> = {
  another_window: 'You signed out in another window.',
  unknown: 'Your session has ended.',
}

/** Says why a page of this tab led to the sign-in. Only the browser knows. */
export function SessionEndNotice() {
  const [end, setEnd] = useState<SessionEnd | null>(null)
  useEffect(() => {
    const found = takeSessionEnd()
    if (found === null) return
    setEnd(found)
    // The stream of this tab may end before the other tab shows that it has signed out.
    return onSignOutElsewhere(() => setEnd('another_window'))
  }, [])
  return (
    <div role="status" className={end === null ? '' : 'mb-7'}>
      {end === null ? null : <Notice title={titles[end]}>Sign in to continue where you were.</Notice>}
    </div>
  )
}
