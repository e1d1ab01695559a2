interface WaterProps {
  /** How many waves lie side by side; pieces with whole waves join without a seam. */
  waves: number
  className?: string
}

const length = 96
const height = 20

/** Even waves over the whole width, `drop` below the surface. */
function wavePath(waves: number, drop: number): string {
  const crest = `q${length / 4} -6 ${length / 2} 0t${length / 2} 0`
  return `M0 ${7 + drop}${crest.repeat(waves)}`
}

/** The water that ducks swim on: it stretches with what it lies in. */
export function Water({ waves, className = '' }: WaterProps) {
  return (
    <svg
      viewBox={`0 0 ${waves * length} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`block h-5 w-full text-pond ${className}`}
    >
      {[0, 7].map((drop) => (
        <path
          key={drop}
          d={wavePath(waves, drop)}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
          opacity={drop === 0 ? 0.9 : 0.3}
        />
      ))}
    </svg>
  )
}
