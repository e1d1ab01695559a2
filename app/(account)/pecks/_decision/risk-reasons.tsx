import { Fragment, type ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import type { Peck, PeckDetails } from '../_peck/reads'
import { RiskMark, RiskShape } from './risk-mark'

interface RiskProps {
  risk: NonNullable<Peck['risk']>
}

interface LineProps {
  /** What to read first. */
  line: PeckDetails['first_line']
}

/** "€4,800.00", "12 $", "EUR 20". */
const amount = /((?:\p{Sc}|\b[A-Z]{3})\s?\d[\d.,]*\d|\d[\d.,]*\s?\p{Sc})/u

/** Words of the service, whose amounts no translator changes. */
function WithAmounts({ text }: { text: string }): ReactNode {
  return text.split(amount).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
    <Fragment key={index}>{index % 2 === 1 ? <span translate="no">{part}</span> : part}</Fragment>
  ))
}

/** A reason. The words of the asker in it stand in a frame of their own, so that they move no words of the service. */
export function ReasonText({ text }: { text: string }) {
  const [, before = text, quotation = '', after = ''] = /^([^“]*)(“.*”)(.*)$/s.exec(text) ?? []
  return (
    <span className="min-w-0 wrap-anywhere">
      <WithAmounts text={before} />
      {quotation === '' ? null : <bdi translate="no">{quotation}</bdi>}
      <WithAmounts text={after} />
    </span>
  )
}

/** The level of a risk, with what to read first. */
export function RiskSummary({ level, line }: LineProps & Pick<RiskProps['risk'], 'level'>) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <RiskMark level={level} />
      {line === null ? null : <ReasonText text={line.text} />}
    </p>
  )
}

interface DangerBandProps extends LineProps {
  id: string
  /** Once decided, the band is quieter and as tall. */
  isPending: boolean
}

/** The band of a high risk over the whole width of the card: whom the asker looks like, or the consequence, in one sentence. No other request looks like it. */
export function DangerBand({ id, line, isPending }: DangerBandProps) {
  const look = isPending ? 'bg-bad text-surface' : 'bg-bad-wash text-bad'
  return (
    <p
      id={id}
      data-danger
      className={`-mx-5 -mt-5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-card px-5 py-3 sm:-mx-7 sm:-mt-7 sm:px-7 ${look}`}
    >
      <RiskMark level="high" />
      <strong className="min-w-0 font-semibold">
        <ReasonText text={line?.text ?? ''} />
      </strong>
    </p>
  )
}

/** All reasons of a risk, in sentences of the service. */
export function RiskReasons({ risk: { level, reasons }, line }: RiskProps & LineProps) {
  const isAllSaid = reasons.every(({ rule }) => rule === line?.rule)
  return (
    <details className="text-sm" open={!isAllSaid}>
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
