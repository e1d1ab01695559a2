import type { MetadataRoute } from 'next'
import { config } from '@/lib/kernel/config'
import { accountPages } from './_shell/account-pages'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** Keeps crawlers away from personal pages, and from addresses that are not pages. The pages at `/agents/AGT-…` are public. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: '*',
      disallow: [
        ...accountPages.map(({ href }) => href),
        '/agents/new',
        '/agents/manage',
        '/rules',
        '/connect',
        '/device',
        '/goodbye',
        '/dev',
        '/api',
      ].map((path) => `${config().basePath}${path}`),
    },
    sitemap: `${config().baseUrl}/sitemap.xml`,
  }
}
