/**
 * The badge of a certificate, an SVG for an `<img>` on other sites. It has its own background, so it is legible everywhere. A word
 * and a sign show the state, not only a colour. No other state looks like `valid`.
 */

import type { CheckState } from '@/app/_web/certificate-check'
import { logoPath } from '@/components/duck-art'
import { tierWords } from '@/lib/kernel/text/tier-words'

export interface BadgeFacts {
  state: CheckState
  /** The owner's name and the certificate's tier, or null when there is no certificate. */
  holder: { name: string; tier: string } | null
}

interface Look {
  word: string
  /** The end of the sentence in the title, after the holder. Screen readers and tooltips show it. */
  sentence: string
  tone: 'good' | 'bad' | 'warn' | 'quiet'
  /** The path of the sign, in a square of 16 × 16. */
  sign: string
}

const looks: Record<CheckState, Look> = {
  valid: { word: 'Valid', sentence: 'is valid', tone: 'good', sign: 'M3.5 8.5l3 3 6-7' },
  revoked: { word: 'Revoked', sentence: 'is revoked', tone: 'bad', sign: 'M4 4l8 8M12 4l-8 8' },
  superseded: {
    word: 'Replaced',
    sentence: 'was replaced by a newer one',
    tone: 'warn',
    sign: 'M3 8h9M8.5 4l4 4-4 4',
  },
  unknown: {
    word: 'Unknown',
    sentence: 'does not exist',
    tone: 'quiet',
    sign: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.6v.1',
  },
  malformed: {
    word: 'Unknown',
    sentence: 'has a malformed number',
    tone: 'quiet',
    sign: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.4M8 12.6v.1',
  },
  unchecked: {
    word: 'Not checked',
    sentence: 'could not be checked',
    tone: 'quiet',
    sign: 'M3 8h1M7.5 8h1M12 8h1',
  },
}

const height = 48
/** Where the text begins. */
const textStart = 52
const font = 'ui-sans-serif,system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif'

/** Approximate widths of characters in common sans-serif fonts, in em. Others, such as digits and small letters, have 0.565. */
const characterWidths: [RegExp, number][] = [
  [/[iljI.·]/, 0.28],
  [/[ftr ]/, 0.36],
  [/[mwMW]/, 0.88],
  [/[A-Z]/, 0.68],
]

/** Returns the width reserved for a text. `textLength` then fits the text of any font into it. */
function widthOf(text: string, size: number): number {
  const ems = [...text].map(
    (character) => characterWidths.find(([kind]) => kind.test(character))?.[1] ?? 0.565,
  )
  return Math.ceil(ems.reduce((sum, em) => sum + em, 0) * size)
}

/** Escapes the five characters that XML reads as markup. */
export function escapeXml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }
  return text.replace(/[&<>"']/g, (character) => `&${names[character]};`)
}

/** Returns a line of text, compressed when the font is wider than expected. */
function line(text: string, x: number, y: number, size: number, rest: string): string {
  const width = widthOf(text, size)
  return `<text x="${x}" y="${y}" font-size="${size}" textLength="${width}" lengthAdjust="spacingAndGlyphs" ${rest}>${escapeXml(text)}</text>`
}

/** Returns the badge as SVG. */
export function badgeSvg({ state, holder }: BadgeFacts): string {
  const { word, sentence, tone, sign } = looks[state]
  const name = holder?.name ?? 'Certificate'
  const about = holder === null ? 'Beak' : `Certificate · ${tierWords(holder.tier)}`
  const title = `Beak: the certificate${holder === null ? '' : ` of ${holder.name}`} ${sentence}.`
  const pill = 30 + widthOf(word, 14) + 12
  const pillStart = textStart + Math.max(widthOf(name, 16), widthOf(about, 12)) + 16
  const width = pillStart + pill + 10
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d" font-family="${font}">
<title id="t">${escapeXml(title)}</title>
<desc id="d">Checked when this image was loaded. The page it links to checks again.</desc>
<style>
svg{--ground:#fff;--ink:#16211f;--soft:#50605c;--line:#857f70;--accent:#a8450a;--good:#1a6444;--bad:#a3241c;--warn:#7d5200;--quiet:#50605c;--wash:#f1eee5}
.good{--tone:var(--good);--wash:#e1f2e8}.bad{--tone:var(--bad);--wash:#fde7e4}.warn{--tone:var(--warn);--wash:#fdf0cd}.quiet{--tone:var(--quiet)}
@media(prefers-color-scheme:dark){svg{--ground:#171f1e;--ink:#eef1ec;--soft:#a9b6b1;--line:#74837e;--accent:#ffb163;--good:#7fd3a7;--bad:#ff9d92;--warn:#f2cb6b;--quiet:#a9b6b1;--wash:#0a0f0e}.good{--wash:#12291f}.bad{--wash:#341614}.warn{--wash:#2d240c}}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="11" fill="var(--ground)" stroke="var(--line)"/>
<path transform="translate(10 8)" d="${logoPath}" fill="var(--accent)"/><circle cx="30" cy="20" r="1.5" fill="var(--ground)"/>
${line(name, textStart, 22, 16, 'font-weight="650" fill="var(--ink)"')}
${line(about, textStart, 38, 12, 'fill="var(--soft)"')}
<g class="${tone}" transform="translate(${pillStart} 9)">
<rect width="${pill}" height="30" rx="15" fill="var(--wash)"/>
<path transform="translate(9 7)" d="${sign}" fill="none" stroke="var(--tone)" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>
${line(word, 30, 20, 14, 'font-weight="650" fill="var(--tone)"')}
</g>
</svg>
`
}
