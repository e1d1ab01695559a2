import type { Metadata } from 'next'
import { NotFoundPage } from '@/app/_shell/not-found-page'
import SiteLayout from './(site)/layout'
import RootLayout, { generateMetadata as siteMetadata } from './layout'

export { viewport } from './layout'

/** The page has no layout, so it repeats the metadata of the root layout. */
export function generateMetadata(): Metadata {
  return { ...siteMetadata(), title: 'Not found · Beak', robots: { index: false } }
}

/**
 * Answers unknown addresses. A `not-found.tsx` beside the root layout would also be part of every page: Next renders it, with a second
 * header and footer, into the data of each answer.
 */
export default function GlobalNotFound() {
  return (
    <RootLayout>
      <SiteLayout>
        <NotFoundPage />
      </SiteLayout>
    </RootLayout>
  )
}
