/** Where the values of a chart lie. Counts are never below nought, and every chart begins there. */

export interface Scale {
  /** The value at the upper edge. */
  top: number
  /** Values worth a line, from nought up to `top`, evenly apart and whole. */
  ticks: number[]
}

/** A scale that holds `values`, with two to four steps in round numbers. */
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
  /** What lies below it. */
  area: string
  /** Where it ends. */
  end: { x: number; y: number }
}

const round = (value: number) => Math.round(value * 100) / 100

/** Values from left to right over `width`, nought at `height`, `top` at 0. A single value is a level. */
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

/** Values as bars side by side, with a fifth of the room between them; one that is not nought can be seen. */
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
