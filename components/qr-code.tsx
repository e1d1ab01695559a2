import { encode } from 'uqr'
import { cachedDrawing } from './drawing-cache'

/** A text as a QR code. Dark on white in both themes, because cameras read that best. */
export function QrCode({ text, label, size = 128 }: { text: string; label: string; size?: number }) {
  const svg = cachedDrawing(`qr ${text}`, () => draw(text))
  return (
    <span
      role="img"
      aria-label={label}
      className="block shrink-0 overflow-hidden rounded-control"
      style={{ width: size, height: size }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawing contains only numbers
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

/** Returns a QR code as SVG. Dark modules side by side are one rectangle. */
function draw(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: 3 })
  const rows = data.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join(''))
  const dark = rows.flatMap((row, y) =>
    [...row.matchAll(/1+/g)].map(({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  )
  return `<svg viewBox="0 0 ${size} ${size}" width="100%" height="100%" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/><path fill="#16211f" d="${dark.join('')}"/></svg>`
}
