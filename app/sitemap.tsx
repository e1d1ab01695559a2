import type { MetadataRoute } from 'next'
import { config } from '@/lib/kernel/config'
import { readSections } from './(site)/docs/_content/pages'

// The address of this service is known when it runs, not when it is built.
export const dynamic = 'force-dynamic'

/** The public pages for search engines. */
const paths = [
  '/',
  '/signup',
  '/directory',
  '/verify',
  '/receipts',
  '/clients',
  '/numbers',
  '/status',
  '/docs',
  '/docs/api',
  '/docs/errors',
  '/newsletter',
  '/support',
]

export default async function sitemap(): Promise<MetadataRoute.Sitemap> {
  const docs = (await readSections()).flatMap(({ pages }) => pages.map(({ slug }) => `/docs/${slug}`))
  return [...paths, ...docs].map((path) => ({ url: `${config().baseUrl}${path}` }))
}
