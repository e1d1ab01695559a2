import { m } from '@/lib/kernel/messages'
import { Duck } from './duck'
import { rosette } from './guilloche'

/** A cancelled postage stamp, for pages about email. Hidden from screen readers, because it only decorates. */
export function Stamp({ id }: { id: string }) {
  return (
    <div aria-hidden="true" className="relative h-52 w-60 text-pond">
      <svg
        viewBox="0 0 160 196"
        aria-hidden="true"
        className="absolute top-0 right-0 h-full rotate-3 drop-shadow-sm"
      >
        <rect x="4" y="4" width="152" height="188" fill="var(--surface)" />
        <rect
          x="4"
          y="4"
          width="152"
          height="188"
          fill="none"
          stroke="var(--ground)"
          strokeWidth="7"
          strokeLinecap="round"
          strokeDasharray="0 10.6"
        />
        <rect x="18" y="18" width="124" height="160" fill="var(--pond-wash)" />
        <g
          transform="translate(80 88) scale(0.1)"
          fill="none"
          stroke="currentColor"
          strokeWidth="6"
          opacity="0.75"
        >
          {rosette(`stamp ${id}`, 560).map((line) => (
            <path key={line} d={line} />
          ))}
        </g>
        <text
          x="80"
          y="168"
          textAnchor="middle"
          fontSize="15"
          fontWeight="640"
          fill="currentColor"
          fontFamily="var(--font-display)"
        >
          {m.common_beak()}
        </text>
      </svg>
      <div className="absolute top-14 right-12 rotate-3">
        <Duck id={id} size={68} />
      </div>
      <Postmark />
    </div>
  )
}

function Postmark() {
  return (
    <svg
      viewBox="0 0 160 80"
      aria-hidden="true"
      className="absolute bottom-2 left-0 w-44 -rotate-12 text-soft"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      opacity="0.7"
    >
      <circle cx="36" cy="40" r="32" />
      <circle cx="36" cy="40" r="21" />
      {[18, 29, 40, 51, 62].map((y) => (
        <path key={y} d={`M72 ${y}q10 -6 20 0t20 0t20 0t20 0`} />
      ))}
    </svg>
  )
}
