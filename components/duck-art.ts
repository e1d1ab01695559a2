/** Derives the look of a duck from an id, so that the same id has the same duck everywhere. */

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
