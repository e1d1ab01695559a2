import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Peck } from '../_peck/reads'
import { RiskMark, RiskShape } from './risk-mark'

interface RiskProps {
  risk: NonNullable<Peck['risk']>
}

/** A reason. The words of the asker in it stand in a frame of their own, so that they move no words of the service. */
function ReasonText({ text }: { text: string }) {
  const [, before = text, quotation = '', after = ''] = /^([^“]*)(“.*”)(.*)$/s.exec(text) ?? []
  return (
    <span className="min-w-0 wrap-anywhere">
      {before}
      {quotation === '' ? null : <bdi>{quotation}</bdi>}
      {after}
    </span>
  )
}

/** The level of a risk, with its first reason. */
export function RiskSummary({ risk: { level, reasons } }: RiskProps) {
  const [first] = reasons
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <RiskMark level={level} />
      {first === undefined ? null : <ReasonText text={first.text} />}
    </p>
  )
}

interface DangerBandProps {
  id: string
  risk: RiskProps['risk']
  /** Once decided, the band is quieter and as tall. */
  isPending: boolean
}

/** The band of a high risk over the whole width of the card: the consequence in one sentence. No other request looks like it. */
export function DangerBand({ id, risk: { level, reasons }, isPending }: DangerBandProps) {
  const look = isPending ? 'bg-bad text-surface' : 'bg-bad-wash text-bad'
  return (
    <p
      id={id}
      data-danger
      className={`-mx-5 -mt-5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-card px-5 py-3 sm:-mx-7 sm:-mt-7 sm:px-7 ${look}`}
    >
      <RiskMark level={level} />
      <strong className="min-w-0 font-semibold">
        <ReasonText text={reasons[0]?.text ?? ''} />
      </strong>
    </p>
  )
}

/** All reasons of a risk, in sentences of the service. */
export function RiskReasons({ risk: { level, reasons } }: RiskProps) {
  return (
    <details className="text-sm" open={reasons.length > 1}>
      <summary className="min-h-6 w-max max-w-full text-soft hover:text-ink">
        {m.decision_why_the_risk_is_level({ level })}
      </summary>
      <ul className="mt-2 grid gap-1.5">
        {reasons.map(({ rule, level: weight, text }) => (
          <li key={rule} className="flex items-start gap-2.5">
            <span className="mt-1">
              <RiskShape level={weight} size={15} />
            </span>
            <ReasonText text={text} />
          </li>
        ))}
        {reasons.length === 0 ? <li>{m.decision_it_only_reads_nothing_in_it()}</li> : null}
      </ul>
      <p className="mt-1.5">
        <Link
          href="/docs/people/risk"
          className="inline-flex min-h-6 items-center text-soft underline decoration-line hover:decoration-ink"
        >
          {m.decision_how_the_risk_is_computed()}
        </Link>
      </p>
    </details>
  )
}
