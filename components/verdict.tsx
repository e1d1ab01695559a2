import { ArrowRightLeft, BadgeCheck, CircleDashed, OctagonX } from 'lucide'
import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'

export type VerdictKind = 'yes' | 'no' | 'other' | 'unsure'

/** Each kind has its own icon, so that it is recognised without colour and on paper. */
const kinds = {
  yes: { icon: BadgeCheck, look: 'bg-good-wash text-good' },
  no: { icon: OctagonX, look: 'bg-bad-wash text-bad' },
  other: { icon: ArrowRightLeft, look: 'bg-warn-wash text-warn' },
  unsure: { icon: CircleDashed, look: 'bg-sunken text-soft' },
} as const

interface VerdictProps {
  kind: VerdictKind
  /** The result in a sentence. */
  title: ReactNode
  /** Level of the heading. */
  as?: 'h1' | 'h2'
  children?: ReactNode
}

/** The result of a check. */
export function Verdict({ kind, title, as: Title = 'h1', children }: VerdictProps) {
  const { icon, look } = kinds[kind]
  return (
    <div
      className={`flex flex-wrap items-start gap-x-6 gap-y-4 rounded-card px-6 py-6 sm:flex-nowrap sm:px-8 print:flex-nowrap print:border print:border-current print:py-4 ${look}`}
    >
      <Icon of={icon} size={60} strokeWidth={1.6} className="-ms-1 shrink-0" />
      <div className="min-w-0">
        <Title className="text-2xl leading-tight font-semibold">{title}</Title>
        <div className="mt-2 max-w-2xl text-ink">{children}</div>
      </div>
    </div>
  )
}
