'use client'

import { useEffect, useState } from 'react'
import { onSignOutElsewhere, type SessionEnd, takeSessionEnd } from '@/components/session-marks'
import { Notice } from '@/components/ui/surface'
import { m } from '@/lib/kernel/messages'

const titles: Record<SessionEnd, string> = {
  get another_window() {
    return m.signin_you_signed_out_in_another_window()
  },
  get unknown() {
    return m.signin_session_end_title()
  },
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
      {end === null ? null : (
        <Notice title={titles[end]}>{m.signin_sign_in_continue_where_you_were()}</Notice>
      )}
    </div>
  )
}
