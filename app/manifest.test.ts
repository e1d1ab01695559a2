import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import manifest from './manifest'

/** Returns width and height from the header of a PNG file. */
function sizeOfPng(path: string): string {
  const file = readFileSync(`public${path}`)
  expect(file.subarray(1, 4).toString()).toBe('PNG')
  return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`
}

it('lists only icons and screenshots of public/, with their real sizes', () => {
  const icons = manifest().icons ?? []
  const pictures = icons.filter(({ type }) => type === 'image/png')
  expect(pictures.map(({ src }) => sizeOfPng(src))).toEqual(pictures.map(({ sizes }) => sizes))
  expect(pictures.map(({ sizes, purpose }) => `${sizes} ${purpose ?? 'any'}`).sort()).toEqual([
    '192x192 any',
    '192x192 maskable',
    '512x512 any',
    '512x512 maskable',
    '96x96 monochrome',
  ])
  const screenshots = manifest().screenshots ?? []
  expect(screenshots.map(({ src }) => sizeOfPng(src))).toEqual(screenshots.map(({ sizes }) => sizes))
  expect(readFileSync('public/icon.svg', 'utf8')).toMatch(/^<svg /)
  expect(sizeOfPng('/apple-touch-icon.png')).toBe('180x180')
})
