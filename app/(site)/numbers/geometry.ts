/** Computes the coordinates of charts. Values are never negative, and every chart starts at zero. */

export interface Scale {
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
