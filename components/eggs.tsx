import { duckLook } from './duck-art'

/** More than these are said in the words beside them. */
const drawnMost = 12

/** The eggs a duckling has laid, in a row; each in a colour of its duck. The number stands in the text. */
export function Eggs({ id, count }: { id: string; count: number }) {
  const look = duckLook(id)
  const drawn = Math.min(count, drawnMost)
  if (drawn === 0) return null
  return (
    <svg
      viewBox={`0 0 ${drawn * 22} 30`}
      aria-hidden="true"
      className="h-8 w-auto max-w-full text-edge"
      preserveAspectRatio="xMinYMid"
    >
      {Array.from({ length: drawn }, (_, n) => n * 22 + 11).map((x, n) => (
        <g key={x} transform={`rotate(${n % 2 === 0 ? -6 : 7} ${x} 16)`}>
          <path
            d={`M${x} 3c5 0 8.5 8 8.5 14a8.5 10 0 0 1-17 0c0-6 3.5-14 8.5-14Z`}
            fill={n % 3 === 1 ? look.pond : look.body}
            stroke="currentColor"
          />
          <circle cx={x - 2} cy={13} r="1" fill={look.wing} opacity="0.5" />
          <circle cx={x + 3} cy={19} r="1.3" fill={look.wing} opacity="0.5" />
          <circle cx={x - 3} cy={21} r="0.8" fill={look.wing} opacity="0.5" />
        </g>
      ))}
    </svg>
  )
}
