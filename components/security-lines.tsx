'use client'

// Client components, so that the data of a page has only the id, and the long curves are in the HTML once.
import { cachedDrawing } from './drawing-cache'
import { band, rosette } from './guilloche'

interface LinesProps {
  /** The curves are derived from this id. */
  id: string
  strokeWidth: number
  opacity: number
  className: string
}

const pathsOf = (curves: string[]) => curves.map((curve) => `<path d="${curve}"/>`).join('')

/** The rosette of a certificate. `strokeWidth` is in hundredths of its radius. */
export function Rosette({ id, strokeWidth, opacity, className }: LinesProps) {
  return (
    <svg
      viewBox="-1000 -1000 2000 2000"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth * 10}
      strokeOpacity={opacity}
      className={className}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the curves contain only numbers
      dangerouslySetInnerHTML={{ __html: cachedDrawing(`rosette ${id}`, () => pathsOf(rosette(id, 980))) }}
    />
  )
}

/** The waves at the edge of a certificate, stretched to the size in `className`. `strokeWidth` is in pixels. */
export function WaveBand({ id, lines, strokeWidth, opacity, className }: LinesProps & { lines: number }) {
  const draw = () => pathsOf(band(id, 10_000, 340, lines))
  return (
    <svg
      viewBox="0 0 10000 340"
      preserveAspectRatio="none"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeOpacity={opacity}
      className={`*:[vector-effect:non-scaling-stroke] ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the curves contain only numbers
      dangerouslySetInnerHTML={{ __html: cachedDrawing(`band ${id} ${lines}`, draw) }}
    />
  )
}
