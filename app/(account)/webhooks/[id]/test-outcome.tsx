'use client'

import { useAnswer } from '@/components/ui/form'
import type { Tested } from '../actions'
import { errorWords } from '../words'
import { Answered } from './answered'

/** What came of a test, below its button. */
export function TestOutcome() {
  const { status, data, turn } = useAnswer<Tested>()
  const tested = status === 'succeeded' ? data : undefined
  return (
    <div aria-live="polite">
      {tested ? (
        <div key={turn} className="grid gap-3 border-s-2 border-line ps-4">
          <p className={`font-semibold ${tested.success ? 'text-good' : 'text-bad'}`}>
            {tested.success ? 'It arrived.' : tested.error ? errorWords[tested.error] : 'It did not arrive.'}
          </p>
          <Answered
            statusCode={tested.status_code}
            latencyMs={tested.latency_ms}
            response={tested.response}
          />
        </div>
      ) : null}
    </div>
  )
}
