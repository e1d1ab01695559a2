/**
 * The typefaces, loaded from packages and never from the network. A typeface that arrives late waits for the next page: text that changes
 * while somebody reads it moves the page.
 */
import localFont from 'next/font/local'

/** For headlines. One weight, which is half of the file with all weights. */
export const headline = localFont({
  src: '../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-600-normal.woff2',
  weight: '600',
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
  src: [
    {
      path: '../node_modules/@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2',
      weight: '400',
    },
    {
      path: '../node_modules/@fontsource/jetbrains-mono/files/jetbrains-mono-latin-600-normal.woff2',
      weight: '600',
    },
  ],
  variable: '--font-code',
  display: 'optional',
  preload: false,
})
