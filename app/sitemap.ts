import type { MetadataRoute } from 'next'
import { config } from '@/lib/kernel/config'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** The public pages for search engines. */
const paths = [
  '/',
  '/signup',
  '/directory',
  '/verify',
  '/receipts',
  '/numbers',
  '/status',
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/newsletter',
  '/support',
]

export default function sitemap(): MetadataRoute.Sitemap {
  return paths.map((path) => ({ url: `${config().baseUrl}${path}` }))
}
