'use client'

import { useEffect } from 'react'
import { useAnswer } from '@/components/ui/form'
import type { Outcome } from './outcome'

/** Passes the outcome of the form around to the card. */
export function ReportOutcome({ onDecided }: { onDecided: (outcome: Outcome) => void }) {
  const { data } = useAnswer<Outcome>()
  useEffect(() => {
    if (data) onDecided(data)
  }, [data, onDecided])
  return null
}
