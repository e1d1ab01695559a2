'use client'

import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Tested } from './actions'

/** What came back of a test, below its button. */
export function TestResult() {
  const { status, data, turn } = useAnswer<Tested>()
  const tested = status === 'succeeded' ? data : undefined
  return (
    <div aria-live="polite" className="empty:hidden">
      {tested ? (
        <div key={turn} className="max-w-md border-s-2 border-line ps-4 text-sm">
          <p className={`font-semibold ${tested.success ? 'text-good' : 'text-bad'}`}>
            {tested.success ? m.notifications_test_accepted() : m.notifications_test_failed()}
          </p>
          {tested.detail === null ? null : <p className="wrap-anywhere">{tested.detail}</p>}
          <p className="text-soft tabular-nums">
            {tested.status_code === null
              ? m.notifications_test_no_answer({ milliseconds: tested.latency_ms })
              : m.notifications_status_after({
                  status: tested.status_code,
                  milliseconds: tested.latency_ms,
                })}
          </p>
        </div>
      ) : null}
    </div>
  )
}
