/**
 * The typefaces, loaded from packages and never from the network. A typeface that arrives late waits for the next page: text that changes
 * while somebody reads it moves the page.
 */
import localFont from 'next/font/local'

/** For headlines. */
export const headline = localFont({
  src: '../node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-headline',
  display: 'optional',
})

/** For text. Has tabular figures. Without italics, because no page uses them. */
export const text = localFont({
  src: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  weight: '400 700',
  variable: '--font-text',
  display: 'optional',
})

/** For ids, keys and commands. Not preloaded, because few pages show it first. */
export const code = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-code',
  display: 'optional',
  preload: false,
})
