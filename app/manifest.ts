import type { MetadataRoute } from 'next'
import { withBasePath } from '@/app/_web/base-path'
import { shareColours } from '@/components/share-sheet'

/** For those who keep Beak on their home screen. */
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
      { src: withBasePath('/apple-icon'), sizes: '180x180', type: 'image/png' },
    ],
  }
}
