'use client'

import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'
import type { Tested } from '../actions'
import { errorTexts } from '../words'
import { ReceiverAnswer } from './receiver-answer'

/** The result of a test, shown below its button. */
export function TestResult() {
  const { status, data, turn } = useAnswer<Tested>()
  const tested = status === 'succeeded' ? data : undefined
  return (
    <div aria-live="polite">
      {tested ? (
        <div key={turn} className="grid gap-3 border-s-2 border-line ps-4">
          <p className={`font-semibold ${tested.success ? 'text-good' : 'text-bad'}`}>
            {tested.success
              ? m.webhooks_test_delivered()
              : tested.error
                ? errorTexts[tested.error]
                : m.webhooks_the_test_wasnt_delivered()}
          </p>
          <ReceiverAnswer
            statusCode={tested.status_code}
            latencyMs={tested.latency_ms}
            response={tested.response}
          />
        </div>
      ) : null}
    </div>
  )
}
