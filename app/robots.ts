import type { MetadataRoute } from 'next'

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
      ],
    },
  }
}
