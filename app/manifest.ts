import type { MetadataRoute } from 'next'
import { withBasePath } from '@/components/base-path'
import { shareColours } from '@/components/share-sheet'

/** Describes Beak to devices that install it on their home screen. The icons are files in public/. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Beak',
    short_name: 'Beak',
    description: 'Identity, trust and permission for people and the agents that act for them.',
    start_url: withBasePath('/home'),
    display: 'standalone',
    background_color: shareColours.ground,
    theme_color: shareColours.ground,
    icons: [
      { src: withBasePath('/icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: withBasePath('/icon-192.png'), sizes: '192x192', type: 'image/png' },
      { src: withBasePath('/icon-512.png'), sizes: '512x512', type: 'image/png' },
      {
        src: withBasePath('/icon-maskable-192.png'),
        sizes: '192x192',
        type: 'image/png',
        purpose: 'maskable',
      },
      {
        src: withBasePath('/icon-maskable-512.png'),
        sizes: '512x512',
        type: 'image/png',
        purpose: 'maskable',
      },
    ],
  }
}
