'use client'

import { type ReactNode, useId } from 'react'
import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'

/** The choice between all kinds and the ones ticked in `children`. CSS shows `children`, so it works without JavaScript. */
export function KindsChoice({ isAll, children }: { isAll: boolean; children: ReactNode }) {
  const id = useId()
  const { status, errors, values } = useAnswer()
  const wantsAll = status === 'failed' ? values.all === 'yes' : isAll
  const error = errors.kinds
  return (
    <fieldset className="group grid min-w-0 gap-3">
      <legend className="mb-2 text-sm font-semibold">{m.webhooks_events()}</legend>
      <Option
        id={`${id}-all`}
        value="yes"
        isChecked={wantsAll}
        label={m.webhooks_all_events_including_future_ones()}
      />
      <Option
        id={`${id}-some`}
        value="no"
        isChecked={!wantsAll}
        label={m.webhooks_only_these_events()}
        error={error ? `${id}-error` : undefined}
      />
      {error ? (
        <p id={`${id}-error`} className="ps-8 text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
      <div className="mt-2 hidden gap-8 ps-8 group-has-[[value=no]:checked]:grid">{children}</div>
    </fieldset>
  )
}

interface OptionProps {
  id: string
  value: string
  label: string
  isChecked: boolean
  /** Id of the element with the error message. */
  error?: string | undefined
}

function Option({ id, value, label, isChecked, error }: OptionProps) {
  return (
    <div className="flex min-h-6 items-center gap-3">
      <input
        id={id}
        type="radio"
        name="all"
        value={value}
        defaultChecked={isChecked}
        aria-describedby={error}
        className="size-5 shrink-0 accent-accent"
      />
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
    </div>
  )
}
