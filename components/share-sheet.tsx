import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReactNode } from 'react'
import { m } from '@/lib/kernel/messages'
import { singleton } from '@/lib/kernel/runtime/singleton'
import { duckImage, logoPath } from './duck-art'
import { rosette } from './guilloche'

/** The light theme of tokens.css. An image cannot follow the theme of its viewer. */
export const shareColours = {
  ground: '#faf8f3',
  surface: '#ffffff',
  ink: '#16211f',
  soft: '#50605c',
  line: '#e2ddd1',
  accent: '#a8450a',
  pond: '#2a6475',
  bad: '#a3241c',
}

export const shareSize = { width: 1200, height: 630 }

/** WOFF, because the renderer reads neither WOFF2 nor variable fonts. */
const typeface = (weight: 500 | 700) =>
  singleton(`share-image.font.${weight}`, () =>
    readFile(
      join(
        process.cwd(),
        `node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-${weight}-normal.woff`,
      ),
    ),
  )

/** Returns the typeface of headings for the image renderer. */
export async function shareFonts() {
  const [medium, bold] = await Promise.all([typeface(500), typeface(700)])
  return [
    { name: 'Bricolage', data: medium, weight: 500 as const },
    { name: 'Bricolage', data: bold, weight: 700 as const },
  ]
}

/** The characters of the typeface. For any other, the renderer would load a font from another host. */
const drawable = /^[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u2018-\u201e]*$/

/** Returns the first of the names that the typeface can draw. The last one is a display name, which it always can. */
export function drawableName(...names: string[]): string {
  return names.find((name) => drawable.test(name)) ?? ''
}

/** The frame of the preview image of a shared link: the logo at the top, `children` below. */
export function ShareSheet({ children }: { children: ReactNode }) {
  return (
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: '64px 72px',
        background: shareColours.ground,
        color: shareColours.ink,
        fontFamily: 'Bricolage',
        borderBottom: `14px solid ${shareColours.accent}`,
        position: 'relative',
      }}
    >
      <div style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 34, fontWeight: 700 }}>
        <svg viewBox="0 0 32 32" width="56" height="56" aria-hidden="true">
          <path d={logoPath} fill={shareColours.accent} />
          <circle cx="20" cy="12" r="1.5" fill={shareColours.ground} />
        </svg>
        {m.common_beak()}
      </div>
      {children}
    </div>
  )
}

/** The duck of an id. As an image, because the renderer draws only elements that it gets one by one. */
export function ShareDuck({ id, size, bare = false }: { id: string; size: number; bare?: boolean }) {
  // biome-ignore lint/performance/noImgElement: the address of the image contains the image
  return <img src={duckImage(id, bare)} width={size} height={size} alt="" />
}

interface ShareSealProps {
  /** The text that the lines of the rosette follow from. */
  text: string
  duckId: string
  ink: string
  /** Whether the duck is pale. */
  isPale?: boolean
}

/** A rosette with a duck inside, at the right of the sheet. */
export function ShareSeal({ text, duckId, ink, isPale = false }: ShareSealProps) {
  return (
    <div style={{ position: 'absolute', right: 56, top: 36, width: 372, height: 372, display: 'flex' }}>
      <svg viewBox="-1000 -1000 2000 2000" width="372" height="372" aria-hidden="true">
        {rosette(text, 980).map((line) => (
          <path key={line} d={line} fill="none" stroke={ink} strokeWidth="6" opacity="0.65" />
        ))}
      </svg>
      <div style={{ position: 'absolute', left: 98, top: 98, display: 'flex', opacity: isPale ? 0.4 : 1 }}>
        <ShareDuck id={duckId} size={176} />
      </div>
    </div>
  )
}
