import type { MetadataRoute } from 'next'
import { shareColours } from '@/components/share-sheet'

/** Describes Beak for home screens. The icons are files of public/. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Beak',
    short_name: 'Beak',
    description: 'Identity, trust and permission for people and the agents that act for them.',
    start_url: '/home',
    display: 'standalone',
    background_color: shareColours.ground,
    theme_color: shareColours.ground,
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}
