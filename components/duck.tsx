import { duckLook, logoPath } from './duck-art'

interface DuckProps {
  /** The look is derived from this id. */
  id: string
  /** Width and height in pixels. */
  size?: number
  /** Leaves out the round pond behind the duck. */
  bare?: boolean
  className?: string
}

const ornaments = [
  null,
  <path key="crest" d="M31 18c-4-4-9-5-12-3 4 0 6 3 8 7Z" />,
  <path key="cap" d="M26 20c2-6 14-7 17-1l-1 2c-5-3-11-3-16 0Z" />,
  <path key="ring" d="M27 28c4 2 10 2 14 0l1 3c-5 2-11 2-16 0Z" />,
]

/** The duck of an id. Hidden from screen readers, because a name always stands beside it. */
export function Duck({ id, size = 40, bare = false, className = '' }: DuckProps) {
  const look = duckLook(id)
  const dots = [
    [31, 40],
    [36, 44],
    [28, 46],
  ].slice(0, look.speckles)
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      aria-hidden="true"
      className={`shrink-0 ${bare ? '' : 'rounded-full'} ${className}`}
      style={look.facesLeft ? { transform: 'scaleX(-1)' } : undefined}
    >
      {bare ? null : (
        <g>
          <circle cx="32" cy="32" r="32" fill={look.pond} />
          <path
            d="M6 46c6-3 10 2 16 0s10-2 16 0 10 2 20-1a32 32 0 0 1-52 1Z"
            fill={look.wing}
            opacity="0.18"
          />
        </g>
      )}
      <path
        d="M13 37c5 1 8-1 12-4 2-2 1-4 1-7a9 9 0 1 1 17 4c-1 3 1 5 1 9 0 8-7 13-16 13S12 46 13 37Z"
        fill={look.body}
      />
      <path
        d="M19 40c6-3 12-2 15 2-3 5-12 6-15-2Z"
        fill={look.wing}
        transform={`rotate(${look.wingTilt} 26 42)`}
      />
      <g fill={look.wing}>{ornaments[look.ornament]}</g>
      <path d="M43 22c4-1 8 0 10 2-1 2-6 4-10 3Z" fill={look.bill} />
      <circle cx="38" cy="21" r="2" fill="#16211f" />
      <circle cx="38.7" cy="20.3" r="0.6" fill="#ffffff" />
      {dots.map(([cx, cy]) => (
        <circle key={`${cx}-${cy}`} cx={cx} cy={cy} r="1" fill={look.pond} />
      ))}
    </svg>
  )
}

/** The logo of Beak in the accent colour. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <path d={logoPath} fill="var(--accent)" />
      <circle cx="20" cy="12" r="1.5" fill="var(--ground)" />
    </svg>
  )
}
