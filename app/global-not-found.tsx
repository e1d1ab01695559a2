import type { Metadata } from 'next'
import { NotFoundPage, OwnNotFoundPage } from '@/app/_shell/not-found-page'
import { optionalViewer } from '@/app/_web/viewer'
import { m } from '@/lib/kernel/messages'
import SiteLayout from './(site)/layout'
import RootLayout, { generateMetadata as siteMetadata } from './layout'

export { viewport } from './layout'

/** The page has no layout, so it repeats the metadata of the root layout. */
export function generateMetadata(): Metadata {
  return { ...siteMetadata(), title: m.root_not_found(), robots: { index: false } }
}

/**
 * Answers unknown addresses. A `not-found.tsx` beside the root layout would also be part of every page: Next renders it, with a second
 * header and footer, into the data of each answer.
 */
export default async function GlobalNotFound() {
  const isSignedIn = (await optionalViewer()) !== null
  return (
    <RootLayout>
      <SiteLayout>{isSignedIn ? <OwnNotFoundPage /> : <NotFoundPage />}</SiteLayout>
    </RootLayout>
  )
}
