import { isFreeText } from '@beak/decision/free-text'
import { KeptText } from '@/components/kept-text'
import { Link } from '@/components/ui/link'
import { m } from '@/lib/kernel/messages'
import { withoutMarks } from '@/lib/kernel/text/kept-values'
import type { Peck, PeckDetails } from '../_peck/reads'

export type RiskLevel = NonNullable<Peck['risk']>['level']

/** Each level has its own shape, word and colour, so that it is recognised without colour. */
const levels = {
  low: {
    get word() {
      return m.decision_low_risk()
    },
    shape: <circle cx="10" cy="10" r="7.5" />,
    look: 'bg-good-wash text-good',
    tone: 'text-good',
  },
  medium: {
    get word() {
      return m.decision_medium_risk()
    },
    shape: <path d="M10 1.5 18.5 10 10 18.5 1.5 10Z" />,
    look: 'bg-warn-wash text-warn',
    tone: 'text-warn',
  },
  high: {
    get word() {
      return m.decision_high_risk()
    },
    shape: <path d="M6.7 2h6.6L18 6.7v6.6L13.3 18H6.7L2 13.3V6.7Z" />,
    look: 'bg-bad-wash text-bad',
    tone: 'text-bad',
  },
} satisfies Record<RiskLevel, object>

/** Returns a level in words: "High risk". */
export const riskWord = (level: RiskLevel): string => levels[level].word

/** The shape of a risk: a circle with a dot, a diamond with a mark, a full octagon with a mark. Hidden from screen readers. */
export function RiskShape({ level, size = 18 }: { level: RiskLevel; size?: number }) {
  const isHigh = level === 'high'
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      aria-hidden="true"
      className={`shrink-0 ${levels[level].tone}`}
      fill={isHigh ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinejoin="round"
    >
      {levels[level].shape}
      {level === 'low' ? (
        <circle cx="10" cy="10" r="2.2" fill="currentColor" stroke="none" />
      ) : (
        <path
          d="M10 6v4.6M10 13.6v.2"
          strokeLinecap="round"
          strokeWidth="2"
          className={isHigh ? 'stroke-ground' : undefined}
        />
      )}
    </svg>
  )
}

/** The risk of a request as a badge. With `isShape` only the shape, for lists: the word is for screen readers and in the title. */
export function RiskMark({ level, isShape = false }: { level: RiskLevel; isShape?: boolean }) {
  const { word, look } = levels[level]
  if (isShape)
    return (
      <span title={word} className="inline-flex" data-risk={level}>
        <RiskShape level={level} />
        <span className="visually-hidden">{word}</span>
      </span>
    )
  return (
    <span
      data-risk={level}
      className={`inline-flex items-center gap-2 rounded-full py-1 ps-2 pe-3 text-sm font-semibold ${look}`}
    >
      <RiskShape level={level} />
      {word}
    </span>
  )
}

interface RiskProps {
  risk: NonNullable<Peck['risk']>
}

interface LineProps {
  /** What to read first. */
  line: PeckDetails['first_line']
}

/** A reason. The words of the asker in it stand in a frame of their own, so that they move no words of the service. */
export function ReasonText({ text }: { text: string }) {
  const [, before = text, quotation = '', after = ''] = /^([^“]*)(“.*”)(.*)$/s.exec(text) ?? []
  return (
    <span className="exact-digits min-w-0 wrap-anywhere">
      <KeptText text={before} />
      {quotation === '' ? null : <bdi translate="no">{withoutMarks(quotation)}</bdi>}
      <KeptText text={after} />
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

/** All reasons of a risk, in sentences of the service. `isKnown`: the service knows the action. Open when there are more than the line, unless it is in the asker's own words. */
export function RiskReasons({
  risk: { level, reasons },
  line,
  peck,
  isKnown,
}: RiskProps & LineProps & { peck: Pick<Peck, 'action'>; isKnown: boolean }) {
  const isAllSaid = reasons.every(({ rule }) => rule === line?.rule)
  return (
    <details className="text-sm" open={!isAllSaid && !isFreeText(peck.action)}>
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
        {reasons.length > 0 ? null : (
          <li>{isKnown ? m.decision_low_risk_reason() : m.decision_low_risk_if_true()}</li>
        )}
      </ul>
      <p className="mt-1.5">
        <Link
          href="/docs/people/answer-requests#low-medium-or-high-risk"
          className="inline-flex min-h-6 items-center text-soft underline decoration-line hover:decoration-ink"
        >
          {m.decision_how_the_risk_is_computed()}
        </Link>
      </p>
    </details>
  )
}
