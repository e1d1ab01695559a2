import { ImageResponse } from 'next/og'
import { markPath } from '@/components/duck-art'
import { shareColours } from '@/components/share-sheet'

export const size = { width: 180, height: 180 }
export const contentType = 'image/png'

/** The mark on paper, for home screens. */
export default function AppleIcon(): ImageResponse {
  return new ImageResponse(
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        background: shareColours.ground,
      }}
    >
      <svg viewBox="0 0 32 32" width="132" height="132" aria-hidden="true">
        <path d={markPath} fill={shareColours.accent} />
        <circle cx="20" cy="12" r="1.5" fill={shareColours.ground} />
      </svg>
    </div>,
    size,
  )
}
