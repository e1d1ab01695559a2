import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { readersLocale } from '@/components/ui/time-words'
import { barsOf, curveOf, type Scale, scaleFor } from './geometry'

const width = 1000
const height = 200

interface FrameProps {
  id: string
  title: string
  /** What the chart shows, in one or two sentences. */
  description: string
  scale: Scale
  from: string
  to: string
  /** Height of the drawing. */
  size: string
  children: ReactNode
  /** Drawn under the lines of the scale. */
  below?: ReactNode
  /** Placed on top of the drawing, and not stretched with it. */
  over?: ReactNode
}

/** A drawing that stretches to the available width. The labels are text around it, so they keep their size. */
function Frame({ id, title, description, scale, from, to, size, children, below, over }: FrameProps) {
  return (
    <div>
      <div className={`relative me-10 ${size}`}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-title ${id}-description`}
          className="absolute inset-0 size-full overflow-visible"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {below}
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              x1="0"
              x2={width}
              y1={height - (tick / scale.top) * height}
              y2={height - (tick / scale.top) * height}
              stroke="var(--line)"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {children}
        </svg>
        <div aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span
              key={tick}
              className="absolute start-full ms-2 -translate-y-1/2 text-xs text-soft tabular-nums"
              style={{ top: `${100 - (tick / scale.top) * 100}%` }}
            >
              {short(tick)}
            </span>
          ))}
          {over}
        </div>
      </div>
      <p aria-hidden="true" className="me-10 mt-2 flex justify-between text-xs text-soft">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </div>
  )
}

const short = (value: number) => value.toLocaleString(readersLocale(), { notation: 'compact' })

interface ChartProps {
  id: string
  title: string
  description: string
  values: number[]
  from: string
  to: string
}

/** A count over days, drawn as rising water. With `swimmer`, the chart is large and a duck swims on it. */
export function WaterChart({ values, swimmer, ...rest }: ChartProps & { swimmer?: string }) {
  const scale = scaleFor(values)
  const { line, area, end } = curveOf(values, scale.top, width, height)
  const isLevel = values.length === 1
  return (
    <Frame
      {...rest}
      scale={scale}
      below={<path d={area} fill="var(--pond-wash)" />}
      size={swimmer ? 'h-56 sm:h-72 mt-16' : 'h-28 mt-6'}
      over={
        swimmer ? (
          <span
            className="absolute -translate-x-full -translate-y-[72%]"
            style={{ left: isLevel ? '55%' : '99%', top: `${(end.y / height) * 100}%` }}
          >
            <Duck id={swimmer} size={72} bare />
          </span>
        ) : null
      }
    >
      <path
        d={line}
        fill="none"
        stroke="var(--pond)"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeDasharray={isLevel ? '2 6' : undefined}
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </Frame>
  )
}

/** A count per day or per week. */
export function BarChart({ values, ...rest }: ChartProps) {
  const scale = scaleFor(values)
  return (
    <Frame {...rest} scale={scale} size="mt-6 h-40">
      {barsOf(values, scale.top, width, height).map((bar) => (
        <rect key={bar.x} {...bar} fill="var(--pond)" />
      ))}
    </Frame>
  )
}
