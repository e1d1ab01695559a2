import type { Metadata, Viewport } from 'next'
import type { ReactNode } from 'react'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Beak', template: '%s · Beak' },
  description: 'Identity, trust and permission for people and the agents that act for them.',
}

export const viewport: Viewport = { colorScheme: 'light dark' }

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
