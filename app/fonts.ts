/** The typefaces, from packages: nothing is fetched from the network. */
import localFont from 'next/font/local'

/** Headlines: a grotesque with a quirk. */
export const headline = localFont({
  src: '../node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-headline',
  display: 'swap',
})

/** Text: even, open, with true tabular figures. */
export const text = localFont({
  src: [
    {
      path: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
      style: 'normal',
    },
    {
      path: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-italic.woff2',
      style: 'italic',
    },
  ],
  weight: '400 700',
  variable: '--font-text',
  display: 'swap',
})

/** Ids, keys, commands. Not preloaded: few pages begin with it. */
export const code = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-code',
  display: 'swap',
  preload: false,
})
