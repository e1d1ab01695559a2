/** Computes the coordinates of charts. Values are never negative, and every chart starts at zero. */

import type { ReactNode } from 'react'
import { Duck } from '@/components/duck'
import { readersLocale } from '@/lib/kernel/text/time-words'

interface Scale {
  /** The value at the upper edge. */
  top: number
  /** Whole values with a line, at equal distances from zero to `top`. */
  ticks: number[]
}

/** Returns a scale that contains `values`, with two to four steps in round numbers. */
export function scaleFor(values: number[]): Scale {
  const most = Math.max(1, ...values)
  const power = 10 ** Math.floor(Math.log10(most / 3))
  const fitting = [1, 2, 5, 10].map((factor) => factor * power).find((step) => most / step <= 3)
  const step = Math.max(1, fitting ?? 10 * power)
  const count = Math.ceil(most / step)
  return { top: count * step, ticks: Array.from({ length: count + 1 }, (_, index) => index * step) }
}

export interface Curve {
  /** The line through the values, as SVG path data. */
  line: string
  /** The area below the line. */
  area: string
  /** The last point of the line. */
  end: { x: number; y: number }
}

const round = (value: number) => Math.round(value * 100) / 100

/** Places values from left to right over `width`, zero at `height` and `top` at 0. A single value becomes a horizontal line. */
export function curveOf(values: number[], top: number, width: number, height: number): Curve {
  const heights = values.length === 1 ? [...values, ...values] : values
  const points = heights.map((value, index) => ({
    x: round((index / (heights.length - 1)) * width),
    y: round(height - (value / top) * height),
  }))
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('')
  return { line, area: `${line}V${height}H0Z`, end: points.at(-1) ?? { x: width, y: height } }
}

export interface Bar {
  x: number
  y: number
  width: number
  height: number
}

/** Places values as bars side by side. A fifth of the width is space between them. A value above zero is always visible. */
export function barsOf(values: number[], top: number, width: number, height: number): Bar[] {
  const room = width / values.length
  return values.map((value, index) => {
    const tall = value === 0 ? 0 : Math.max(height / 100, (value / top) * height)
    return {
      x: round(index * room + room * 0.1),
      y: round(height - tall),
      width: round(room * 0.8),
      height: round(tall),
    }
  })
}

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
