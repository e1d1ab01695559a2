import type { MetadataRoute } from 'next'
import { config } from '@/lib/kernel/config'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** Keeps crawlers from one's own pages and from what is no page. Of /agents only the bare list is one's own. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: '*',
      disallow: [
        '/home',
        '/pecks',
        '/agents$',
        '/certificate',
        '/profile',
        '/security',
        '/webhooks',
        '/audit',
        '/account',
        '/goodbye',
        '/dev',
        '/api',
      ].map((path) => `${config().basePath}${path}`),
    },
    sitemap: `${config().baseUrl}/sitemap.xml`,
  }
}
