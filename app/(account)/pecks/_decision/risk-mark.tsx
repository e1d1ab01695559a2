import { m } from '@/lib/kernel/messages'
import type { Peck } from '../_peck/reads'

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
