'use client'

import { useRouter } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'

/** A part of a rule in words: its label and its steps. */
export interface ChipRow {
  /** Unique among the parts: two names of details can read the same. */
  id: string
  label: string
  steps: string[]
}

interface ChipsProps {
  rows: ChipRow[]
  /** The step of each part in the rule that the page shows. */
  chosen: number[]
  /** The address of the page, to which the steps are added. */
  path: string
}

/** The parts of a rule, each with its steps, the narrowest first. Links, so that they work without scripts. */
export function Chips({ rows, chosen, path }: ChipsProps) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  // Links start from the steps of the last tap, so two quick taps both count. The marked chip changes with the sentence.
  const [wanted, want] = useOptimistic(chosen)
  return (
    <dl
      aria-busy={isPending}
      className="grid gap-x-5 gap-y-3 aria-busy:opacity-60 sm:grid-cols-[max-content_minmax(0,1fr)]"
    >
      {rows.map(({ id, label, steps }, at) => (
        <div key={id} className="contents">
          <dt className="text-sm text-soft wrap-anywhere sm:max-w-40 sm:py-2.5">
            <bdi translate="no">{label}</bdi>
          </dt>
          <dd className="min-w-0 max-sm:-mt-2">
            {steps.length === 1 ? (
              <p className="text-sm font-semibold wrap-anywhere sm:py-2.5">
                <bdi translate="no">{steps}</bdi>
              </p>
            ) : (
              <ul aria-label={m.rules_steps_of({ part: label })} className="flex flex-wrap gap-2">
                {steps.map((words, index) => {
                  const next = wanted.map((old, place) => (place === at ? index : old))
                  const href = `${path}${path.includes('?') ? '&' : '?'}steps=${next.join('.')}`
                  return (
                    <li key={words} className="min-w-0">
                      <Link
                        href={href}
                        replace
                        scroll={false}
                        onNavigate={(event) => {
                          event.preventDefault()
                          startTransition(() => {
                            want(next)
                            router.replace(href, { scroll: false })
                          })
                        }}
                        aria-current={chosen[at] === index ? 'true' : undefined}
                        className="inline-flex min-h-11 items-center rounded-control border border-edge bg-surface px-3 py-1.5 text-sm no-underline wrap-anywhere hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent-wash aria-[current]:font-semibold"
                      >
                        <bdi translate="no">{words}</bdi>
                      </Link>
                    </li>
                  )
                })}
              </ul>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
