import { encode } from 'uqr'

/** A text as a QR code. Dark on white in both themes, because cameras read that best. */
export function QrCode({ text, label, size = 128 }: { text: string; label: string; size?: number }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 3 })
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className="shrink-0 rounded-control"
    >
      <rect width={modules} height={modules} fill="#ffffff" />
      <path d={dark} fill="#16211f" />
    </svg>
  )
}
