'use client'

import { useLayoutEffect } from 'react'
import { useAnswer } from '@/components/ui/form'
import type { Outcome } from './outcome'

/** Passes the outcome of the enclosing form to its request. Runs once for each answer, before the form is removed. */
export function ReportOutcome({ onDecided }: { onDecided: (outcome: Outcome) => void }) {
  const { data, turn } = useAnswer<Outcome>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each answer
  useLayoutEffect(() => {
    if (data) onDecided(data)
  }, [data, turn])
  return null
}
