'use client'

import { useAnswer } from '@/components/ui/form'

const reasons = ["I didn't ask for this.", "I don't know you.", 'This is more than needed. Ask for less.']

/** Ready-made reasons for a rejection. */
export function QuickReasons() {
  const { values } = useAnswer()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-semibold">Reason</legend>
      {reasons.map((reason) => (
        <label key={reason} className="flex min-h-9 items-center gap-3 text-sm">
          <input
            type="radio"
            name="quick"
            value={reason}
            defaultChecked={values.quick === reason}
            className="size-5 shrink-0 accent-accent"
          />
          {reason}
        </label>
      ))}
    </fieldset>
  )
}
