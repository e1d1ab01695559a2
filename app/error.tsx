'use client'

import { withBasePath } from '@/components/base-path'

/** Replaces a page when its layout fails, too. Uses plain elements only, because any component could be the cause. */
export default function ErrorPage() {
  return (
    <main id="main" className="mx-auto w-full max-w-6xl px-5 py-16">
      <h1>Something went wrong on our side</h1>
      <p className="mt-3 text-lg text-soft">Try again in a moment.</p>
      <p className="mt-8">
        <a href={withBasePath('/')} className="font-semibold underline">
          Go to the front page
        </a>
      </p>
    </main>
  )
}
