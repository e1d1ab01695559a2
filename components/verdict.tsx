import { ArrowRightLeft, BadgeCheck, CircleDashed, OctagonX } from 'lucide-react'
import type { ReactNode } from 'react'

export type VerdictKind = 'yes' | 'no' | 'other' | 'unsure'

/** Each kind has a shape of its own: it is told apart without colour, and on paper. */
const kinds = {
  yes: { Sign: BadgeCheck, look: 'bg-good-wash text-good' },
  no: { Sign: OctagonX, look: 'bg-bad-wash text-bad' },
  other: { Sign: ArrowRightLeft, look: 'bg-warn-wash text-warn' },
  unsure: { Sign: CircleDashed, look: 'bg-sunken text-soft' },
} as const

interface VerdictProps {
  kind: VerdictKind
  /** What was found, in a sentence. */
  title: string
  /** Level of that sentence as a heading. */
  as?: 'h1' | 'h2'
  children?: ReactNode
}

/** What a check has found, so that nobody can mistake it. */
export function Verdict({ kind, title, as: Title = 'h1', children }: VerdictProps) {
  const { Sign, look } = kinds[kind]
  return (
    <div
      className={`flex flex-wrap items-start gap-x-6 gap-y-4 rounded-card px-6 py-6 sm:flex-nowrap sm:px-8 print:flex-nowrap print:border print:border-current print:py-4 ${look}`}
    >
      <Sign aria-hidden="true" size={60} strokeWidth={1.6} className="-ms-1 shrink-0" />
      <div className="min-w-0">
        <Title className="text-2xl leading-tight font-semibold">{title}</Title>
        <div className="mt-2 max-w-2xl text-ink">{children}</div>
      </div>
    </div>
  )
}
