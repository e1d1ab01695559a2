'use client'

import type { ReactNode } from 'react'
import { useAnswer } from '@/components/ui/form'
import { m } from '@/lib/kernel/messages'

/** Fields that few people need. Opens by itself when one of them was refused. */
export function Advanced({ fields, children }: { fields: string[]; children: ReactNode }) {
  const { errors } = useAnswer()
  return (
    <details open={fields.some((name) => errors[name] !== undefined)} className="rounded-control">
      <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-semibold">
        {m.agents_advanced()}
      </summary>
      <div className="mt-3 grid gap-5">{children}</div>
    </details>
  )
}
