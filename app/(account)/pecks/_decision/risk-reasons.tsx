import { Sparkles } from 'lucide-react'
import { Link } from '@/components/ui/link'
import type { Peck } from '../_peck/reads'
import { RiskMark, RiskShape } from './risk-mark'

interface RiskProps {
  risk: NonNullable<Peck['risk']>
}

/** The level of a risk, with its first reason. */
export function RiskSummary({ risk: { level, reasons } }: RiskProps) {
  const [first] = reasons
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <RiskMark level={level} />
      {first === undefined ? null : <span className="min-w-0 wrap-anywhere">{first.text}</span>}
    </p>
  )
}

/** All reasons of a risk and what is new, in sentences of the service. */
export function RiskReasons({ risk: { reasons, novelty } }: RiskProps) {
  return (
    <details className="text-sm" open={reasons.length + novelty.length > 1}>
      <summary className="min-h-6 w-max max-w-full text-soft hover:text-ink">Why this risk</summary>
      <ul className="mt-2 grid gap-1.5">
        {reasons.map(({ rule, level, text }) => (
          <li key={rule} className="flex items-start gap-2.5">
            <span className="mt-1">
              <RiskShape level={level} size={15} />
            </span>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </li>
        ))}
        {reasons.length === 0 ? <li>It only reads, and nothing in it is sensitive.</li> : null}
      </ul>
      {novelty.length === 0 ? null : (
        <>
          <p className="mt-3 text-soft">What is new</p>
          <ul className="mt-1.5 grid gap-1.5">
            {novelty.map(({ rule, text }) => (
              <li key={rule} className="flex items-start gap-2.5">
                <Sparkles aria-hidden="true" size={15} className="mt-1 shrink-0 text-soft" />
                <span className="min-w-0 wrap-anywhere">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-1.5">
        <Link
          href="/docs/people/risk"
          className="inline-flex min-h-6 items-center text-soft underline decoration-line hover:decoration-ink"
        >
          How the risk is computed
        </Link>
      </p>
    </details>
  )
}
