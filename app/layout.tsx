import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import { chosenTheme } from '@/app/_shell/theme'
import { withBasePath } from '@/components/base-path'
import { LocalTimes } from '@/components/local-times'
import { config } from '@/lib/kernel/config'
import { code, headline, text } from './fonts'
import './globals.css'

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(config().baseUrl),
    title: { default: 'Beak', template: '%s · Beak' },
    description: 'Identity, trust and permission for people and the agents that act for them.',
    icons: {
      icon: [
        { url: withBasePath('/favicon.ico'), sizes: '16x16 32x32 48x48' },
        { url: withBasePath('/icon.svg'), type: 'image/svg+xml' },
      ],
      apple: { url: withBasePath('/apple-touch-icon.png'), sizes: '180x180' },
    },
  }
}

export const viewport: Viewport = { colorScheme: 'light dark', width: 'device-width', initialScale: 1 }

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = await chosenTheme()
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      className={`${headline.variable} ${text.variable} ${code.variable}`}
    >
      <body>
        <a
          href="#main"
          className="no-print fixed -top-20 left-4 z-50 rounded-control bg-accent px-4 py-2 font-semibold text-accent-ink focus:top-4"
        >
          Skip to content
        </a>
        {children}
        <LocalTimes />
      </body>
    </html>
  )
}
