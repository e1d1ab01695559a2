import { ImageResponse } from 'next/og'
import { ShareDuck, ShareSheet, shareColours, shareFonts, shareSize } from '@/components/share-sheet'
import { m } from '@/lib/kernel/messages'

export const alt = 'Beak: permission, asked nicely'
export const size = shareSize
export const contentType = 'image/png'

/** The share image of pages without their own. Drawn once, at build time. */
export default async function ShareImage(): Promise<ImageResponse> {
  return new ImageResponse(
    <ShareSheet>
      <SwimmingDuck />
      <div style={{ display: 'flex', flexDirection: 'column' }}>
        <div style={{ fontSize: 106, fontWeight: 700, letterSpacing: -3, lineHeight: 1.04, maxWidth: 660 }}>
          {m.root_share_title()}
        </div>
        <div style={{ fontSize: 34, fontWeight: 500, color: shareColours.soft, marginTop: 30 }}>
          {m.root_share_text()}
        </div>
      </div>
    </ShareSheet>,
    { ...size, fonts: await shareFonts() },
  )
}

function SwimmingDuck() {
  return (
    <div style={{ position: 'absolute', right: 40, top: 60, width: 440, height: 420, display: 'flex' }}>
      <svg viewBox="0 0 440 420" width="440" height="420" aria-hidden="true">
        {[110, 160, 215].map((radius, index) => (
          <ellipse
            key={radius}
            cx="220"
            cy="322"
            rx={radius}
            ry={radius * 0.3}
            fill="none"
            stroke={shareColours.pond}
            strokeWidth="2"
            opacity={0.6 - index * 0.16}
          />
        ))}
      </svg>
      <div style={{ position: 'absolute', left: 60, top: 40, display: 'flex' }}>
        <ShareDuck id="DUCK-0QMJ" size={340} bare />
      </div>
    </div>
  )
}
