import type { MetadataRoute } from 'next'
import { config } from '@/lib/kernel/config'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** Keeps crawlers away from personal pages and from what is no page. Only `/agents` itself is personal, not the pages below it. */
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
        '/notifications',
        '/security',
        '/device',
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
