interface WaterProps {
  /** Number of whole waves, so that two pieces join without a seam. */
  waves: number
  className?: string
}

const length = 96
const height = 20

/** Returns the path of equal waves over the whole width, lowered by `drop`. */
function wavePath(waves: number, drop: number): string {
  const crest = `q${length / 4} -6 ${length / 2} 0t${length / 2} 0`
  return `M0 ${7 + drop}${crest.repeat(waves)}`
}

/** Draws the surface of the water over the width of its container. */
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
