import type { Metadata } from 'next'
import { NotFoundPage } from '@/components/not-found-page'
import { SiteFooter } from '@/components/site-footer'
import { SiteHeader } from '@/components/site-header'

export const metadata: Metadata = { title: 'Not found', robots: { index: false } }

/** Answers unknown addresses. */
export default function NotFound() {
  return (
    <>
      <SiteHeader />
      <main id="main" className="mx-auto w-full max-w-6xl px-5 py-10 sm:py-14">
        <NotFoundPage />
      </main>
      <SiteFooter />
    </>
  )
}
