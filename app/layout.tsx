/**
 * The typefaces, loaded from packages and never from the network. A typeface that arrives late waits for the next page: text that changes
 * while somebody reads it moves the page.
 */

import './globals.css'
import type { Metadata, Viewport } from 'next'
import localFont from 'next/font/local'
import type { ReactNode } from 'react'
import { chosenTheme } from '@/app/_shell/theme'
import { withBasePath } from '@/components/base-path'
import { AfterStart } from '@/components/foreign/after-start'
import { WatchScript } from '@/components/foreign/watch-script'
import { LocalTimes } from '@/components/local-times'
import { config } from '@/lib/kernel/config'
import { m } from '@/lib/kernel/messages'
import { currentLanguage } from '@/lib/kernel/text/language'

/** For headlines. One weight, which is half of the file with all weights. */
const headline = localFont({
  src: '../node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-600-normal.woff2',
  weight: '600',
  variable: '--font-headline',
  display: 'optional',
})

/** For text. Has tabular figures. Without italics, because no page uses them. */
const text = localFont({
  src: '../node_modules/@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2',
  weight: '400 700',
  variable: '--font-text',
  display: 'optional',
})

/** For ids, keys and commands. Not preloaded, because few pages show it first. */
const code = localFont({
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

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(config().baseUrl),
    title: { default: 'Beak', template: '%s · Beak' },
    description: m.root_description(),
    icons: {
      icon: [
        { url: withBasePath('/favicon.ico'), sizes: '16x16 32x32 48x48' },
        { url: withBasePath('/icon.svg'), type: 'image/svg+xml' },
      ],
      apple: { url: withBasePath('/apple-touch-icon.png'), sizes: '180x180' },
    },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  width: 'device-width',
  initialScale: 1,
  // Without it, the insets that app/globals.css uses would be 0.
  viewportFit: 'cover',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme()
  return (
    <html
      lang={currentLanguage()}
      data-theme={theme === 'system' ? undefined : theme}
      className={`${headline.variable} ${text.variable} ${code.variable}`}
    >
      <body>
        <a
          href="#main"
          className="no-print fixed -top-20 left-4 z-50 rounded-control bg-accent px-4 py-2 font-semibold text-accent-ink focus:top-4"
        >
          {m.root_skip_to_content()}
        </a>
        {children}
        <AfterStart />
        <LocalTimes />
        <WatchScript />
      </body>
    </html>
  )
}
