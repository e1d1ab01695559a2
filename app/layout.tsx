import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { chosenTheme } from '@/app/_shell/theme'
import { withBasePath } from '@/components/base-path'
import { AfterStart } from '@/components/foreign/after-start'
import { WatchScript } from '@/components/foreign/watch-script'
import { LocalTimes } from '@/components/local-times'
import { config } from '@/lib/kernel/config'
import { currentLanguage } from '@/lib/kernel/language'
import { code, headline, text } from './fonts'
import './globals.css'
import { m } from '@/lib/kernel/messages'

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
