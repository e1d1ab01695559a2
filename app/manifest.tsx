import type { MetadataRoute } from 'next'
import { withBasePath } from '@/components/base-path'
import { shareColours } from '@/components/share-sheet'
import { m } from '@/lib/kernel/messages'

/** Describes Beak to devices that install it on their home screen. The icons are files in public/. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: 'Beak',
    short_name: 'Beak',
    description: m.root_manifest_description(),
    id: withBasePath('/home'),
    start_url: withBasePath('/home'),
    scope: withBasePath('/'),
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
      {
        src: withBasePath('/icon-monochrome-96.png'),
        sizes: '96x96',
        type: 'image/png',
        purpose: 'monochrome',
      },
    ],
    shortcuts: [
      { name: m.rooms_inbox(), url: withBasePath('/pecks') },
      { name: m.rooms_allowed(), url: withBasePath('/allowed') },
      { name: m.rooms_activity(), url: withBasePath('/audit') },
    ],
    screenshots: [
      {
        src: withBasePath('/screenshot-narrow.png'),
        sizes: '780x1560',
        type: 'image/png',
        form_factor: 'narrow',
        label: m.root_screenshot_label(),
      },
      {
        src: withBasePath('/screenshot-wide.png'),
        sizes: '1280x800',
        type: 'image/png',
        form_factor: 'wide',
        label: m.root_screenshot_label(),
      },
    ],
  }
}
