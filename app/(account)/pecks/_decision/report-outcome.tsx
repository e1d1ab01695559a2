'use client'

import { useLayoutEffect } from 'react'
import { useFormStatus } from 'react-dom'
import { useAnswer } from '@/components/ui/form'
import type { Outcome } from './outcome'
import { useOutcome } from './outcome-scope'

/** Passes the outcome of the enclosing form to its request. Runs once for each answer, before the form is removed. */
export function ReportOutcome({ onDecided }: { onDecided: (outcome: Outcome) => void }) {
  const { data, turn } = useAnswer<Outcome>()
  const { pending } = useFormStatus()
  const { beginSending } = useOutcome()
  useLayoutEffect(() => (pending ? beginSending() : undefined), [pending, beginSending])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useLayoutEffect(() => {
    if (data) onDecided(data)
  }, [data, turn])
  return null
}
