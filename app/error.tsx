'use client'

import { withBasePath } from '@/app/_web/base-path'

/** When not even the surroundings of a page can be shown: bare words, which need nothing that could fail too. */
export default function ErrorPage() {
  return (
    <main id="main" className="mx-auto w-full max-w-6xl px-5 py-16">
      <h1>Something went wrong on our side</h1>
      <p className="mt-3 text-lg text-soft">It is not you. Try again in a moment.</p>
      <p className="mt-8">
        <a href={withBasePath('/')} className="font-semibold underline">
          To the front page
        </a>
      </p>
    </main>
  )
}
