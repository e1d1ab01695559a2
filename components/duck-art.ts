/** Draws the duck of an id. The same id has the same duck everywhere. */

/** Colours of feathers and water that differ from each other and from the accent, in the light and the dark theme. */
const palettes = [
  { body: '#2f6f5e', wing: '#1f4f43', pond: '#d9ece4' },
  { body: '#e9b949', wing: '#c8932a', pond: '#fbf0d3' },
  { body: '#5b7fa6', wing: '#3f5f84', pond: '#dfe9f3' },
  { body: '#a65b4a', wing: '#84402f', pond: '#f6e2dc' },
  { body: '#7a6a9b', wing: '#5a4c7a', pond: '#e9e4f2' },
  { body: '#8a8f5a', wing: '#696e3d', pond: '#eef0dc' },
  { body: '#c77f9b', wing: '#a55d7a', pond: '#f8e5ec' },
  { body: '#4c8f9f', wing: '#33707f', pond: '#dceff2' },
] as const

export interface DuckLook {
  body: string
  wing: string
  pond: string
  bill: string
  /** None, crest, cap or ring. */
  ornament: 0 | 1 | 2 | 3
  facesLeft: boolean
  /** Number of speckles on the breast. */
  speckles: number
  /** Angle of the wing, in degrees. */
  wingTilt: number
}

/** The logo as a path in a field of 32 × 32. Its eye is a circle with radius 1.5 at 20, 12. */
export const logoPath =
  'M5 18c3 1 5 0 7-2 1-1 1-2 1-4a6 6 0 0 1 12 0l5 1c1 1 0 2-1 2l-4 1c-1 2 0 3 0 6 0 5-4 7-10 7S4 24 5 18Z'

/** Returns the FNV-1a hash of a text (32 bits). Not for security. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value ^= text.charCodeAt(index)
    value = Math.imul(value, 0x01000193)
  }
  return value >>> 0
}

/**
 * Returns the look for an id. Uses only its last four characters, which the directory shows, too: a duckling looks the same where its
 * id is masked.
 */
export function duckLook(id: string): DuckLook {
  const bits = hash(`duck ${id.slice(-4)}`)
  const palette = palettes[bits % palettes.length] ?? palettes[0]
  return {
    ...palette,
    bill: ['#e8833a', '#d96c2c', '#f0a24a'][(bits >>> 4) % 3] ?? '#e8833a',
    ornament: ((bits >>> 7) % 4) as DuckLook['ornament'],
    facesLeft: ((bits >>> 10) & 1) === 1,
    speckles: (bits >>> 12) % 4,
    wingTilt: ((bits >>> 15) % 5) * 4 - 8,
  }
}

const ornaments = [
  '',
  '<path d="M31 18c-4-4-9-5-12-3 4 0 6 3 8 7Z"/>',
  '<path d="M26 20c2-6 14-7 17-1l-1 2c-5-3-11-3-16 0Z"/>',
  '<path d="M27 28c4 2 10 2 14 0l1 3c-5 2-11 2-16 0Z"/>',
]
const speckles = [
  [31, 40],
  [36, 44],
  [28, 46],
]

/** Returns the drawing of a duck as SVG, in a field of 64 × 64. `bare` leaves out the round pond behind the duck. */
export function duckShapes(id: string, bare: boolean): string {
  const { body, wing, pond, bill, ornament, speckles: count, wingTilt } = duckLook(id)
  const water = `<circle cx="32" cy="32" r="32" fill="${pond}"/><path d="M6 46c6-3 10 2 16 0s10-2 16 0 10 2 20-1a32 32 0 0 1-52 1Z" fill="${wing}" opacity="0.18"/>`
  const dots = speckles.slice(0, count).map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1" fill="${pond}"/>`)
  return [
    bare ? '' : water,
    `<path d="M13 37c5 1 8-1 12-4 2-2 1-4 1-7a9 9 0 1 1 17 4c-1 3 1 5 1 9 0 8-7 13-16 13S12 46 13 37Z" fill="${body}"/>`,
    `<path d="M19 40c6-3 12-2 15 2-3 5-12 6-15-2Z" fill="${wing}" transform="rotate(${wingTilt} 26 42)"/>`,
    `<g fill="${wing}">${ornaments[ornament]}</g>`,
    `<path d="M43 22c4-1 8 0 10 2-1 2-6 4-10 3Z" fill="${bill}"/>`,
    '<circle cx="38" cy="21" r="2" fill="#16211f"/><circle cx="38.7" cy="20.3" r="0.6" fill="#ffffff"/>',
    ...dots,
  ].join('')
}

/** Returns the drawing of a duck as an SVG document. */
export function duckSvg(id: string, bare: boolean): string {
  const flip = duckLook(id).facesLeft ? ' transform="translate(64 0) scale(-1 1)"' : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><g${flip}>${duckShapes(id, bare)}</g></svg>`
}

/** Returns the drawing of a duck as a `data:` address. */
export function duckImage(id: string, bare: boolean): string {
  return `data:image/svg+xml,${encodeURIComponent(duckSvg(id, bare))}`
}
