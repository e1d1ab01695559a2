import { duckLook, hash } from '@/components/duck-art'

/** The number of eggs that fit in the nest. The text beside the drawing gives the real number. */
const maxDrawn = 9

/** Positions of the eggs: the front row first, then the row behind it. */
const places = [
  [100, 62],
  [76, 64],
  [124, 64],
  [53, 62],
  [147, 62],
  [88, 47],
  [112, 47],
  [65, 48],
  [135, 48],
] as const

/** Draws the eggs of a duckling (people who joined with its link) in a nest, in the colours of its duck. */
export function Eggs({ id, count }: { id: string; count: number }) {
  const look = duckLook(id)
  const laid = places.slice(0, Math.min(count, maxDrawn)).toReversed()
  return (
    <svg viewBox="0 0 200 116" width={200} height={116} aria-hidden="true" className="max-w-full shrink-0">
      <ellipse cx="100" cy="70" rx="84" ry="20" fill={look.wing} opacity="0.28" />
      {laid.map(([x, y], n) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y}) rotate(${(n % 3) * 9 - 9})`}>
          <path
            d="M0-19c7 0 12.5 11 12.5 19.5a12.5 13.5 0 0 1-25 0C-12.5-8-7-19 0-19Z"
            fill={n % 3 === 1 ? look.pond : look.body}
            stroke="var(--surface)"
            strokeWidth="1.5"
          />
          <circle cx="-4" cy="-4" r="1.2" fill={look.wing} opacity="0.6" />
          <circle cx="4" cy="-8" r="0.9" fill={look.wing} opacity="0.6" />
          <circle cx="2" cy="1" r="1.4" fill={look.wing} opacity="0.6" />
        </g>
      ))}
      <path d="M14 68c18 13 52 18 86 18s68-5 86-18c0 28-36 44-86 44S14 96 14 68Z" fill="#b98f52" />
      {straws(id).map(({ d, tone }) => (
        <path key={d} d={d} fill="none" stroke={tone} strokeWidth="2.2" strokeLinecap="round" />
      ))}
    </svg>
  )
}

/** Returns the straws of the nest, derived from the id. */
function straws(id: string): { d: string; tone: string }[] {
  const seed = hash(id)
  return Array.from({ length: 22 }, (_, n) => {
    const turn = hash(`${seed} ${n}`)
    const x = 20 + (turn % 160)
    const depth = 26 * Math.sqrt(Math.max(0, 1 - ((x - 100) / 88) ** 2))
    const y = 80 + ((turn >>> 8) % 100) * 0.01 * depth
    const length = 16 + ((turn >>> 16) % 18)
    const slope = ((turn >>> 22) % 13) - 6
    const tone = ['#8d6732', '#d9b778', '#a67d42'][n % 3] ?? '#8d6732'
    return { d: `M${x - length / 2} ${(y - slope / 2).toFixed(1)}q${length / 2} 4 ${length} ${slope}`, tone }
  })
}
